// Recorded PyTorch programs (validate/data/torch) against the lowering.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/torch_trace.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

const fs::path data = fs::path(MEMSIM_SOURCE_DIR) / "validate/data/torch/truth.jsonl.gz";

// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("memsim-torch-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "traces");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  fs::path path_;
};

// A linear model of 4 inputs and 3 classes, one step of SGD, by hand: parameters 48 + 12 bytes,
// inputs 2 x 4 x 4 and 2 x 8.
std::string tiny_row(const std::string& more = "") {
  return R"({"id":"tiny","family":"mlp","args":{"dims":[4,3]},"batch":2,"params":15,)"
         R"("param_bytes":60,"input_bytes":48)" +
         more + "}";
}

std::vector<Row> run_text(const std::string& text) {
  const Folder folder;
  return run_kind(torch_kind, folder.write("rows.jsonl", text));
}

std::string only_reason(const std::string& text, Status status) {
  const std::vector<Row> rows = run_text(text);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == status);
  return rows[0].reason;
}

TEST_CASE("every quantity and every sequence of the recorded programs is matched exactly") {
  const std::vector<Row> rows = run_kind(torch_kind, data);
  std::set<std::string> programs;
  std::size_t sequences = 0;
  for (const Row& row : rows) {
    if (row.status != Status::ok)
      FAIL_CHECK(row.id << " " << row.quantity << ": " << row.measured.integer << ", predicted "
                        << row.predicted.integer << " " << row.reason);
    if (row.quantity == "params") programs.insert(row.id);
    if (row.quantity == "sequence") ++sequences;
  }
  CHECK(programs.size() == 60);
  CHECK(sequences == 2 * 55);
  CHECK(rows.size() > 10'000);
}

TEST_CASE("rows of PyTorch programs are recognised by their content") {
  const auto head = read_text_head(data, 4096);
  REQUIRE(head.has_value());
  CHECK(torch_kind.recognises("any.name", *head));
  CHECK(torch_kind.recognises("x", tiny_row()));
  CHECK_FALSE(torch_kind.recognises("truth.jsonl", "{\"links\":[]}"));
  CHECK_FALSE(torch_kind.recognises("truth.jsonl", ""));
  CHECK_FALSE(torch_kind.recognises("truth.jsonl", "a 1 512 addmm"));
}

TEST_CASE("traces beside a file of rows belong to it") {
  CHECK(torch_kind.companion(data.parent_path() / "traces/mlp-s-b64.txt.gz"));
  CHECK(torch_kind.companion(data.parent_path() / "saved/mlp-s-b64.tsv.gz"));
  CHECK_FALSE(torch_kind.companion(data.parent_path() / "README.md"));
  CHECK_FALSE(torch_kind.companion("nowhere/traces/mlp.txt.gz"));
}

TEST_CASE("a single row may be written over several lines") {
  const std::vector<Row> rows = run_text(
      "{\n \"id\": \"tiny\",\n \"family\": \"mlp\",\n \"args\": {\n  \"dims\": [4, 3]},\n"
      " \"batch\": 2,\n \"params\": 15\n}\n");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].quantity == "params");
  CHECK(rows[0].status == Status::ok);
}

TEST_CASE("a value that differs is off, with its error") {
  const std::vector<Row> rows = run_text(tiny_row(R"(,"grad_bytes":50)"));
  REQUIRE(rows.size() == 4);
  const auto off = std::ranges::find(rows, std::string("grad_bytes"), &Row::quantity);
  REQUIRE(off != rows.end());
  CHECK(off->status == Status::off);
  CHECK(off->predicted.integer == 60);
  CHECK(off->error == Approx(0.2));
  CHECK(off->unit == "B");
}

TEST_CASE("unknown families and settings are not modelled, by name") {
  CHECK(only_reason(R"({"id":"a","family":"llama","args":{},"batch":1})", Status::not_modelled) ==
        "line 1: family llama is not modelled");
  CHECK(only_reason(tiny_row(R"(,"opt":"lion")"), Status::not_modelled) ==
        "line 1: opt lion is not modelled");
  CHECK(only_reason(tiny_row(R"(,"precision":"fp8")"), Status::not_modelled) ==
        "line 1: precision fp8 is not modelled");
  CHECK(only_reason(tiny_row(R"(,"mode":"dream")"), Status::not_modelled) ==
        "line 1: mode dream is not modelled");
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[4,3],"act":"mish"},"batch":1})",
                    Status::not_modelled) == "line 1: args.act mish is not modelled");
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[4,3],"norm":1},"batch":1})",
                    Status::not_modelled) == "line 1: args.norm is not modelled");
  CHECK(only_reason(tiny_row(R"(,"accum":1000)"), Status::not_modelled) ==
        "line 1: accum 1000 is more than 256");
}

TEST_CASE("what cannot be read is an input error with its place") {
  const std::vector<Row> rows = run_text(tiny_row() + "\n\n{\"family\":\"mlp\",\n" + tiny_row());
  REQUIRE(rows.size() == 7);
  CHECK(rows[3].status == Status::input_error);
  CHECK(rows[3].reason.find("line 3: not JSON") == 0);
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[4,3]}})", Status::input_error) ==
        "line 1: batch: missing");
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":"x"},"batch":1})", Status::input_error) ==
        "line 1: args.dims: not a list");
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[4.5,3]},"batch":1})", Status::input_error) ==
        "line 1: args.dims: not a list of integers");
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[4]},"batch":1})", Status::input_error) ==
        "line 1: args.widths: at least the input and the classes");
  CHECK(only_reason(R"({"family":"mlp","args":3,"batch":1})", Status::input_error) ==
        "line 1: args: not an object");
  CHECK(only_reason(R"({"args":{},"batch":1})", Status::input_error) == "line 1: family: missing");
  CHECK(only_reason(tiny_row(R"(,"hold":1)"), Status::input_error) ==
        "line 1: hold: not true or false");
  CHECK(only_reason(tiny_row(R"(,"zero_at":1)"), Status::input_error) ==
        "line 1: zero_at: not a text");
  CHECK(only_reason(tiny_row(R"(,"steps":[1])"), Status::input_error) ==
        "line 1: steps: not a list of objects");
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[4,3],"dropout":2},"batch":1})",
                    Status::input_error) == "line 1: args.dropout: not a number between 0 and 1");
  CHECK(only_reason(R"({"family":"gpt","args":{"vocab":9,"block":4,"n_layer":1,"n_head":2,)"
                    R"("n_embd":4},"batch":1,"seq":5})",
                    Status::input_error) ==
        "line 1: train.seq: 5 is beyond the 4 positions of the network");
  CHECK(only_reason("[1]", Status::input_error) == "line 1: not a JSON object");
  CHECK(run_kind(torch_kind, "/nonexistent/truth.jsonl")[0].status == Status::input_error);
}

TEST_CASE("sizes beyond 64 bits are not modelled") {
  CHECK(only_reason(R"({"family":"mlp","args":{"dims":[1099511627776,1099511627776]},"batch":1})",
                    Status::not_modelled) == "line 1: sizes beyond 64 bits");
}

TEST_CASE("quantities of steps that memsim does not have are not modelled") {
  const std::vector<Row> rows = run_text(tiny_row(R"(,"steps":[{"step":0,"after_save":5}])"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[3].status == Status::not_modelled);
  CHECK(rows[3].reason == "memsim's step has no after_save");
  CHECK(rows[3].id == "tiny step0");
}

// One step of tiny_row by hand: logits 2 x 3 x 4 bytes, their log-softmax, loss and total weight;
// backward: the gradient of the loss, of the log-softmax, of the logits, of weight and bias.
const char* const tiny_trace =
    "m model\na 1 48 empty\na 2 12 empty\nm inputs\na 3 32 empty\na 4 16 empty\n"
    "m optimizer_init\nm step0_zero_grad\nm step0_forward\na 5 24 addmm\na 6 24 _log_softmax\n"
    "a 7 4 nll_loss_forward\na 8 4 nll_loss_forward\nf 5\nm step0_backward\na 9 4 ones_like\n"
    "a 10 24 nll_loss_backward\nf 8\na 11 24 _log_softmax_backward_data\nf 10\nf 6\na 12 48 mm\n"
    "a 13 12 sum\nf 11\nf 9\nm step0_optimizer\nm step0_end\nf 7\nm finish\n";

TEST_CASE("a trace beside the rows is compared event by event") {
  const Folder folder;
  const fs::path rows_file =
      folder.write("rows.jsonl", tiny_row(R"(,"steps":[{"step":0,"allocs":9,"peak":280}])"));
  const auto sequence = [&](std::string trace) {
    static_cast<void>(folder.write("traces/tiny.txt", trace));
    const std::vector<Row> rows = run_kind(torch_kind, rows_file);
    const auto found = std::ranges::find(rows, std::string("sequence"), &Row::quantity);
    REQUIRE(found != rows.end());
    return *found;
  };
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  Row row = sequence(tiny_trace);
  CHECK(row.reason.empty());
  CHECK(row.status == Status::ok);
  CHECK(row.measured.integer == 25);
  CHECK(row.unit == "events");

  row = sequence(replaced(tiny_trace, "a 12 48", "a 12 49"));
  CHECK(row.status == Status::off);
  CHECK(row.reason ==
        "event 19 (step0_backward): the trace allocates 49 bytes as 12, memsim allocates 48 bytes "
        "as 12");
  row = sequence(replaced(tiny_trace, "f 10\nf 6\n", "f 6\nf 10\n"));
  CHECK(row.reason == "event 17 (step0_backward): the trace releases 6, memsim releases 10");
  row = sequence(replaced(tiny_trace, "f 7\n", ""));
  CHECK(row.reason == "event 25 (step0_end): the trace ends, memsim releases 7");
  row = sequence(replaced(tiny_trace, "m step0_optimizer\n", ""));
  CHECK(row.reason ==
        "event 23 (step0_backward): the trace comes to step0_end, memsim comes to step0_optimizer");

  static_cast<void>(folder.write("traces/tiny.txt", "a 1 48 empty\nx\n"));
  const std::vector<Row> rows = run_kind(torch_kind, rows_file);
  CHECK(std::ranges::any_of(rows, [](const Row& r) {
    return r.status == Status::input_error &&
           r.reason == "tiny.txt: line 2: not a marker, allocation or release";
  }));
}

TEST_CASE("by the rules of 2.x a sum in place is the tensor that it is added into") {
  const char* const text = "a 1 8 x\na 2 8 y\na 3 8 add.Tensor <-1\nf 1\nf 2\na 4 8 z\nf 3\nf 4\n";
  const auto plain = parse_torch_trace(text, models::TorchRules::v1_13);
  const auto merged = parse_torch_trace(text, models::TorchRules::v2);
  REQUIRE(plain.has_value());
  REQUIRE(merged.has_value());
  CHECK(plain->size() == 8);
  using enum TorchEventKind;
  CHECK(*merged == std::vector<TorchEvent>{{allocate, 1, 8, "", false},
                                           {allocate, 2, 8, "", false},
                                           {release, 2, 0, "", false},
                                           {allocate, 3, 8, "", false},
                                           {release, 1, 0, "", false},
                                           {release, 3, 0, "", false}});
  CHECK_FALSE(parse_torch_trace("f 1\n", models::TorchRules::v2).has_value());
  CHECK_FALSE(parse_torch_trace("a 1 8 add <-7\n", models::TorchRules::v2).has_value());
  CHECK_FALSE(parse_torch_trace("a 1 many x\n", models::TorchRules::v2).has_value());
}

TEST_CASE("conversions released one after the other can be put in order, other releases stay") {
  const auto parsed = [](const std::string& text) {
    auto events = parse_torch_trace(text, models::TorchRules::v1_13);
    REQUIRE(events.has_value());
    order_conversions(*events);
    return *events;
  };
  const std::string made = "a 1 8 _to_copy\na 2 8 mm\na 3 8 _to_copy\na 4 8 _to_copy\n";
  CHECK(parsed(made + "f 3\nf 2\nf 1\n") == parsed(made + "f 1\nf 2\nf 3\n"));
  CHECK_FALSE(parsed(made + "f 2\nf 3\nf 1\n") == parsed(made + "f 1\nf 2\nf 3\n"));
  CHECK_FALSE(parsed(made + "f 3\nm x\nf 1\n") == parsed(made + "f 1\nm x\nf 3\n"));
}

}  // namespace
}  // namespace memsim::validate
