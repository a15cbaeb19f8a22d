// Recorded PyTorch programs (validate/data/torch) against the lowering, and rows that are wrong.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/kind.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path data = fs::path(MEMSIM_SOURCE_DIR) / "validate/data/torch/truth.jsonl.gz";

// A linear model of 4 inputs and 3 classes, batch 2, one step of SGD, by hand. On the device from
// the start: weight 48, bias 12, x 32, labels 16. Forward: logits 24, their log-softmax 24, loss 4,
// total weight 4; the logits go. Backward: the gradients of the loss 4, of the log-softmax 24 (the
// total weight goes), of the logits 24 (the former goes, and the log-softmax), of weight 48 and
// bias 12; the former goes, and the loss's. The gradients of weight and bias stay. Ninth and last
// of the step, the bias's gradient makes the peak: 108 + 4 (loss) + 4 + 24 + 60 = 200; rounded to
// 512 bytes it is 9 tensors, first reached with nll_loss_backward. Autograd keeps x (addmm), the
// log-softmax, and log-softmax, labels and total weight (nll_loss).
const std::string step =
    R"({"step":0,"start":108,"start_512":2048,"allocs":9,"alloc_bytes":168,"peak":200,)"
    R"("peak_phase":"backward","peak_op":"sum.dim_IntList","peak_512":4608,)"
    R"("peak_512_phase":"backward","after_zero_grad":108,"after_zero_grad_512":2048,)"
    R"("peak_zero_grad":108,"peak_zero_grad_512":2048,"allocs_zero_grad":0,"after_forward":140,)"
    R"("after_forward_512":3584,"peak_forward":164,"peak_forward_512":4096,"allocs_forward":4,)"
    R"("after_backward":172,"after_backward_512":3584,"peak_backward":200,)"
    R"("peak_backward_512":4608,"allocs_backward":5,"after_optimizer":172,)"
    R"("after_optimizer_512":3584,"peak_optimizer":172,"peak_optimizer_512":3584,)"
    R"("allocs_optimizer":0,"end":168,"end_512":3072})";
const std::string tiny =
    R"({"id":"tiny","family":"mlp","args":{"dims":[4,3]},"batch":2,"mode":"train",)"
    R"("precision":"fp32","opt":"sgd","accum":1,"set_to_none":true,"zero_at":"start",)"
    R"("method":"by hand","params":15,"param_bytes":60,"buffer_bytes":0,"input_bytes":48,)"
    R"("grad_bytes":60,"grad_count":2,"optimizer_state_bytes":0,"optimizer_state_tensors":0,)"
    R"("saved_for_backward_bytes":28,"saved_for_backward_bytes_512":1024,)"
    R"("saved_for_backward_incl_inputs_buffers_bytes":76,"saved_autocast_weight_cast_bytes":0,)"
    R"("saved_unique_storages":2,"saved_tensors_total":5,"saved_by_grad_fn":{)"
    R"("AddmmBackward0":{"tensors":1,"bytes":32,"param_tensors":0,"new_unique_bytes":0,)"
    R"("attrs":{"mat1":1}},)"
    R"("LogSoftmaxBackward0":{"tensors":1,"bytes":24,"param_tensors":0,"new_unique_bytes":24,)"
    R"("attrs":{"result":1}},)"
    R"("NllLossBackward0":{"tensors":3,"bytes":44,"param_tensors":0,"new_unique_bytes":4,)"
    R"("attrs":{"self":1,"target":1,"total_weight":1}}},"events":20,"engine_adds":0,)"
    R"("engine_adds_in_place_2x":0,"hidden_temporaries":0,"peaks_without_hidden":[200],)"
    R"("forward_ops":{"_log_softmax":1,"_log_softmax_backward_data":1,"addmm":1,"mm":1,)"
    R"("nll_loss_backward":1,"nll_loss_forward":1,"ones_like":1,"sum.dim_IntList":1,"view":2},)"
    R"("saved_for_backward_bytes_2x":28,"steps":[)" +
    step + R"(],"steps_2x":[)" + step + "]}";

const std::string tiny_trace =
    "m model\na 1 48 empty.memory_format\na 2 12 empty.memory_format\n"
    "m inputs\na 3 32 empty.memory_format\na 4 16 empty.memory_format\n"
    "m optimizer_init\nm step0_zero_grad\nm step0_forward\na 5 24 addmm\na 6 24 _log_softmax\n"
    "a 7 4 nll_loss_forward\na 8 4 nll_loss_forward\nf 5\nm step0_backward\na 9 4 ones_like\n"
    "a 10 24 nll_loss_backward\nf 8\na 11 24 _log_softmax_backward_data\nf 10\nf 6\na 12 48 mm\n"
    "a 13 12 sum.dim_IntList\nf 11\nf 9\nm step0_optimizer\nm step0_end\nf 7\nm finish\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// Rows of a file, with the trace of "tiny" beside it.
std::vector<Row> run(const std::string& rows, const std::string& trace = tiny_trace) {
  const test::TemporaryFolder folder;
  if (!trace.empty()) folder.write("traces/tiny.txt", trace);
  return run_kind(torch_kind, folder.write("rows.jsonl", rows));
}

// Where a part of the tiny row begins; it is the first line of the file.
std::string place(const std::string& part) {
  const std::size_t at = tiny.find(part);
  REQUIRE(at != std::string::npos);
  return "rows.jsonl:1:" + std::to_string(at + 1);
}
// The same for the value behind a key.
std::string place_behind(const std::string& key) {
  return "rows.jsonl:1:" + std::to_string(tiny.find(key) + key.size() + 1);
}

// "id: reason" of all rows with this status.
Lines reasons(const std::vector<Row>& rows, Status status) {
  Lines lines;
  for (const Row& row : rows)
    if (row.status == status) lines.push_back(row.id + ": " + row.reason);
  return lines;
}

Lines errors(const std::string& rows, const std::string& trace = tiny_trace) {
  return reasons(run(rows, trace), Status::input_error);
}

// The tiny row with one part replaced.
Lines errors_after(const std::string& from, const std::string& to) {
  return errors(replaced(tiny, from, to));
}

std::string not_modelled_after(const std::string& from, const std::string& to) {
  const std::vector<Row> rows = run(replaced(tiny, from, to));
  CHECK(reasons(rows, Status::input_error).empty());
  const Lines lines = reasons(rows, Status::not_modelled);
  REQUIRE(lines.size() == 1);
  CHECK(rows.size() == 1);
  return lines[0];
}

std::int64_t count(const std::vector<Row>& rows, Status status) {
  return std::ranges::count(rows, status, &Row::status);
}

TEST_CASE("every quantity and every sequence of the recorded programs is matched exactly") {
  const std::vector<Row> rows = run_kind(torch_kind, data);
  std::set<std::string> programs;
  std::size_t sequences = 0;
  for (const Row& row : rows) {
    if (row.status == Status::off || row.status == Status::input_error)
      FAIL_CHECK(row.id << " " << row.quantity << ": " << row.measured.integer << ", predicted "
                        << row.predicted.integer << " " << row.reason);
    if (row.quantity == "params") programs.insert(row.id);
    if (row.quantity == "sequence") ++sequences;
    if (row.status == Status::not_modelled)
      CHECK((row.quantity == "forward_ops" || row.quantity == "saved_by_grad_fn.attrs"));
  }
  CHECK(programs.size() == 60);
  CHECK(sequences == 2 * 60);
  CHECK(rows.size() > 14'000);
}

TEST_CASE("every quantity of a row is compared: values by hand") {
  const std::vector<Row> rows = run(tiny);
  CHECK(reasons(rows, Status::off).empty());
  CHECK(reasons(rows, Status::input_error).empty());
  CHECK(reasons(rows, Status::not_modelled) ==
        Lines{"tiny: names of saved tensors", "tiny: calls of operators that make no new tensor"});
  // 19 of the program, 4 for each of 3 nodes, 8 operators, 31 of each step, the peak without hidden
  // temporaries, two for each sequence.
  CHECK(count(rows, Status::ok) == 19 + 3 * 4 + 8 + 2 * 31 + 1 + 2 * 2);
}

TEST_CASE("whatever a row states wrongly is off, with its place and error") {
  // Every number and name behind a colon is changed in turn; settings change what is predicted.
  const std::size_t first = tiny.find("\"params\"");
  std::size_t changed = 0;
  for (std::size_t colon = tiny.find(':', first); colon != std::string::npos;
       colon = tiny.find(':', colon + 1)) {
    const std::size_t key = tiny.rfind('"', tiny.rfind('"', colon) - 1);
    const std::string name = tiny.substr(key + 1, colon - key - 2);
    const std::string uncompared = "step mat1 result self target total_weight view";
    const char value = tiny[colon + 1];
    if (value == '{' || value == '[' || uncompared.find(name) != std::string::npos) continue;
    std::string text = tiny;
    if (value == '"') {
      text.insert(colon + 2, "x");
    } else {
      text.insert(colon + 1, "7");
    }
    INFO(text.substr(key, 40));
    const std::vector<Row> rows = run(text);
    const bool contradicts = name == "tensors";  // its names count others
    CHECK(count(rows, Status::off) == 1);
    CHECK(count(rows, Status::input_error) == (contradicts ? 1 : 0));
    const auto off = std::ranges::find(rows, Status::off, &Row::status);
    REQUIRE(off != rows.end());
    CHECK((off->quantity.ends_with(name) || off->id == "tiny " + name));
    CHECK_THAT(off->reason, Catch::StartsWith("rows.jsonl:1:") && Catch::EndsWith(": not equal"));
    ++changed;
  }
  CHECK(changed == 19 + 3 * 4 + 8 + 2 * 31);
  const std::vector<Row> rows = run(replaced(tiny, R"("grad_bytes":60)", R"("grad_bytes":50)"));
  const auto off = std::ranges::find(rows, Status::off, &Row::status);
  REQUIRE(off != rows.end());
  CHECK(off->predicted.integer == 60);
  CHECK(off->error == Approx(0.2));
  CHECK(off->unit == "B");
}

TEST_CASE("names are compared as names") {
  const std::vector<Row> rows =
      run(replaced(tiny, R"("peak_op":"sum.dim_IntList")", R"("peak_op":"mm")"));
  const auto off = std::ranges::find(rows, Status::off, &Row::status);
  REQUIRE(off != rows.end());
  CHECK(off->quantity == "peak_op");
  CHECK(off->measured.text == "mm");
  CHECK(off->predicted.text == "sum.dim_IntList");
  CHECK(off->unit.empty());
}

TEST_CASE("what a row lacks is not compared, the rest is") {
  const auto compared = [](const std::string& part) {
    const std::vector<Row> rows = run(replaced(tiny, part, ""));
    CHECK(count(rows, Status::input_error) == 0);
    CHECK(count(rows, Status::off) == 0);
    return count(rows, Status::ok);
  };
  const std::int64_t all = count(run(tiny), Status::ok);
  CHECK(compared(R"("params":15,)") == all - 1);
  CHECK(compared(R"("peak":200,)") == all - 1);
  CHECK(compared(R"(,"steps_2x":[)" + step + "]") == all - 31);
  CHECK(run(replaced(tiny, R"("params":15)", R"("params":null)")).size() == run(tiny).size() - 1);
}

TEST_CASE("nodes that a row does not name save nothing there, operators never ran") {
  const std::vector<Row> rows =
      run(replaced(replaced(tiny, R"("mm":1,)", ""),
                   R"("LogSoftmaxBackward0":{"tensors":1,"bytes":24,"param_tensors":0,)"
                   R"("new_unique_bytes":24,"attrs":{"result":1}},)",
                   R"("MmBackward0":{"tensors":1},)"));
  Lines off;
  for (const Row& row : rows)
    if (row.status == Status::off)
      off.push_back(row.id + " " + std::to_string(row.measured.integer) + " " +
                    std::to_string(row.predicted.integer));
  CHECK(off == Lines{"tiny MmBackward0 1 0", "tiny LogSoftmaxBackward0 0 1", "tiny mm 0 1"});
}

TEST_CASE("rows of PyTorch programs are recognised by their content") {
  const auto head = read_text_head(data, data_head);
  REQUIRE(head.has_value());
  CHECK(torch_kind.recognises("any.name", *head));
  CHECK(torch_kind.recognises("x", tiny));
  CHECK(torch_kind.recognises("x", "garbage\n" + tiny));
  CHECK_FALSE(torch_kind.recognises("nowhere/truth.jsonl", "{\"links\":[]}"));
  CHECK_FALSE(torch_kind.recognises("nowhere/truth.jsonl", ""));
  CHECK_FALSE(torch_kind.recognises("x", "a 1 512 addmm"));
  // Damaged, but traces wait for it.
  CHECK(torch_kind.recognises(data, ""));
}

TEST_CASE("traces and lists of saved tensors beside a file of rows belong to it") {
  CHECK(torch_kind.companion("d/traces/x.txt.gz", "d/rows.jsonl"));
  CHECK(torch_kind.companion("d/saved/x.tsv.gz", "d/rows.jsonl"));
  CHECK_FALSE(torch_kind.companion("d/README.md", "d/rows.jsonl"));
  CHECK_FALSE(torch_kind.companion("e/traces/x.txt.gz", "d/rows.jsonl"));
  CHECK_FALSE(torch_kind.orphan("d/traces/x.txt.gz", "m model\n").empty());
  CHECK(torch_kind.orphan("d/x.txt", "m model\n").empty());
}

TEST_CASE("a single row may be written over several lines") {
  std::string text = tiny;
  for (std::size_t at = text.find(','); at != std::string::npos; at = text.find(',', at + 1))
    text.insert(at + 1, "\n  ");
  const std::vector<Row> rows = run(text);
  CHECK(count(rows, Status::ok) == count(run(tiny), Status::ok));
  CHECK(count(rows, Status::input_error) == 0);
}

TEST_CASE("unknown families and settings are not modelled, by name") {
  CHECK(not_modelled_after(R"("mlp","args":{"dims":[4,3]})", R"("llama","args":{})") ==
        "tiny: family llama is not modelled");
  CHECK(not_modelled_after(R"("sgd")", R"("lion")") == "tiny: opt lion is not modelled");
  CHECK(not_modelled_after(R"("fp32")", R"("fp8")") == "tiny: precision fp8 is not modelled");
  CHECK(not_modelled_after(R"("train")", R"("dream")") == "tiny: mode dream is not modelled");
  CHECK(not_modelled_after(R"([4,3])", R"([4,3],"act":"mish")") ==
        "tiny: args.act mish is not modelled");
  CHECK(not_modelled_after(R"([4,3])", R"([4,3],"norm":1)") == "tiny: args.norm is not modelled");
}

TEST_CASE("broken lines are told with their place and do not hide the others") {
  const std::vector<Row> rows =
      run("{\"id\":\"a\",\"family\"\n" + tiny + "\n\n[1]\n" + replaced(tiny, "\"fp32\"", "fp32"));
  CHECK(reasons(rows, Status::input_error) ==
        Lines{"line 1: E112 rows.jsonl:1:19: this is not JSON; the object that begins at 1:1 is "
              "not closed",
              "line 4: E106 rows.jsonl:4:1: the row is a list; expected an object",
              // `f` may begin false, `p` is wrong.
              "line 5: E112 rows.jsonl:5:" + std::to_string(tiny.find("\"fp32\"") + 2) +
                  ": this is not JSON; invalid literal"});
  CHECK(count(rows, Status::ok) == count(run(tiny), Status::ok));
  CHECK(errors("\n \n")[0] == ": E114 rows.jsonl:1:1: no row");
  CHECK(run_kind(torch_kind, "/nonexistent/truth.jsonl")[0].status == Status::input_error);
}

TEST_CASE("values of a wrong type are told with file, line and key; the others are compared") {
  const std::vector<Row> rows = run(replaced(replaced(tiny, R"("params":15)", R"("params":"x")"),
                                             R"("peak":200)", R"("peak":-1)"));
  CHECK(reasons(rows, Status::input_error) ==
        Lines{"tiny: E106 " + place_behind("\"params\":") +
                  ": params is the string \"x\"; expected an integer",
              // "x" is one character more than 15.
              "tiny: E124 rows.jsonl:1:" + std::to_string(tiny.find("200,\"peak_phase") + 2) +
                  ": steps[0].peak is -1; expected an integer from 0 to 9223372036854775807"});
  CHECK(count(rows, Status::ok) == count(run(tiny), Status::ok) - 2);
  const auto message = [](const std::string& from, const std::string& to) {
    const Lines lines = errors_after(from, to);
    REQUIRE(lines.size() == 1);
    return lines[0].substr(lines[0].find(": ", lines[0].find("rows.jsonl")) + 2);
  };
  CHECK(message(R"("peak_op":"sum.dim_IntList")", R"("peak_op":"")") ==
        "steps[0].peak_op is the string \"\"; expected a name");
  CHECK(message(R"("peak_phase":"backward")", R"("peak_phase":7)") ==
        "steps[0].peak_phase is 7; expected a string");
  CHECK(message(R"("mat1":1)", R"("mat1":{})") ==
        "saved_by_grad_fn.AddmmBackward0.attrs.mat1 is an object; expected an integer");
  CHECK(message(R"("view":2)", R"("view":"2")") ==
        "forward_ops.view is the string \"2\"; expected an integer");
  CHECK(message(R"("peaks_without_hidden":[200])", R"("peaks_without_hidden":["x"])") ==
        "peaks_without_hidden[0] is the string \"x\"; expected an integer");
  CHECK(message(R"("forward_ops":{)", R"("forward_ops":7,"operators":{)") ==
        "forward_ops is 7; expected an object");
  CHECK(message(R"("AddmmBackward0":{"tensors":1,"bytes":32,"param_tensors":0,)"
                R"("new_unique_bytes":0,"attrs":{"mat1":1}})",
                R"("AddmmBackward0":3)") ==
        "saved_by_grad_fn.AddmmBackward0 is 3; expected an object");
}

TEST_CASE("settings that cannot be read are told, and nothing is predicted from them") {
  const auto only = [](const std::string& from, const std::string& to) {
    const std::vector<Row> rows = run(replaced(tiny, from, to));
    CHECK(count(rows, Status::ok) + count(rows, Status::off) == 0);
    const Lines lines = reasons(rows, Status::input_error);
    REQUIRE(lines.size() == 1);
    return lines[0];
  };
  CHECK(only(R"("id":"tiny",)", "") == "line 1: E105 rows.jsonl:1:1: id is missing");
  CHECK(only(R"("id":"tiny")", R"("id":"../tiny")") ==
        "line 1: E106 rows.jsonl:1:7: id is the string \"../tiny\"; expected a name that a file "
        "can have");
  CHECK(only(R"("family":"mlp",)", "") == "tiny: E105 rows.jsonl:1:1: family is missing");
  CHECK(only(R"("batch":2,)", "") == "tiny: E105 rows.jsonl:1:1: batch is missing");
  CHECK(only(R"("batch":2)", R"("batch":0)") == "tiny: E124 " + place_behind("\"batch\":") +
                                                    ": batch is 0; expected an integer from 1 to "
                                                    "9223372036854775807");
  CHECK(only(R"([4,3])", R"("x")") ==
        "tiny: E106 rows.jsonl:1:44: args.dims is the string \"x\"; expected a list");
  CHECK(only(R"([4,3])", R"([4.5,3])") ==
        "tiny: E106 rows.jsonl:1:45: args.dims is 4.5; expected an integer");
  CHECK(only(R"([4,3])", R"([4])") ==
        "tiny: E124 rows.jsonl:1:36: args: widths: at least the input and the classes");
  CHECK(only(R"({"dims":[4,3]})", "3") ==
        "tiny: E106 rows.jsonl:1:36: args is 3; expected an object");
  CHECK(only(R"([4,3])", R"([4,3],"dropout":2)") ==
        "tiny: E106 rows.jsonl:1:60: args.dropout is 2; expected a number between 0 and 1");
  CHECK(only(R"("set_to_none":true)", R"("set_to_none":1)") ==
        "tiny: E106 " + place_behind("\"set_to_none\":") +
            ": set_to_none is 1; expected true or false");
  CHECK(only(R"("zero_at":"start")", R"("zero_at":1)") ==
        "tiny: E106 " + place_behind("\"zero_at\":") + ": zero_at is 1; expected a string");
  CHECK(only(R"("mlp","args":{"dims":[4,3]})",
             R"("gpt","args":{"vocab":9,"block":4,"n_layer":1,"n_head":2,"n_embd":4},"seq":5)") ==
        "tiny: E124 rows.jsonl:1:1: train.sequence: 5 is beyond the 4 positions of the network");
  CHECK(only(R"([4,3])", R"([1099511627776,1099511627776])") ==
        "tiny: E124 rows.jsonl:1:1: the sizes of this job are beyond 64 bits");
}

TEST_CASE("steps must be there, and fit together") {
  CHECK(errors_after(R"("steps":[)" + step + "],", "") ==
        Lines{"tiny: E105 rows.jsonl:1:1: steps is missing"});
  CHECK_THAT(errors_after(R"("steps":[)" + step + "]", R"("steps":[])")[0],
             Catch::EndsWith("steps is empty"));
  CHECK_THAT(errors_after(R"("steps_2x":[)" + step + "]", R"("steps_2x":[])")[0],
             Catch::EndsWith("steps_2x is empty"));
  CHECK_THAT(errors_after(R"("steps":[)" + step, R"("steps":[1)")[0],
             Catch::EndsWith("steps[0] is 1; expected an object"));
  CHECK_THAT(errors_after(step, R"({"step":0})")[0], Catch::EndsWith("steps[0] has no quantity"));
  CHECK_THAT(errors_after(R"("step":0)", R"("step":1)")[0],
             Catch::EndsWith("E135 " + place_behind(R"("step":)") +
                             ": steps[0].step is 1; this is step 0"));
  CHECK(errors_after(R"("steps":[)" + step, R"("steps":[)" + step + "," + step).size() == 3);
  CHECK_THAT(errors_after("[200]", "[200,200]")[0],
             Catch::EndsWith("peaks_without_hidden speaks of 2 steps; `steps` of 1"));
  CHECK_THAT(errors_after(R"("mat1":1)", R"("mat1":2)")[0],
             Catch::EndsWith("AddmmBackward0.attrs count 2 tensors; `tensors` is 1"));
}

TEST_CASE("misspelt keys are told with the right one, other unknown ones are not modelled") {
  CHECK(
      errors_after(R"("params")", R"("parms")") ==
      Lines{"tiny: E104 " + place("\"params\"") + ": parms is not known; did you mean `params`?"});
  CHECK_THAT(errors_after(R"("after_forward")", R"("after_forwrad")")[0],
             Catch::EndsWith("steps[0].after_forwrad is not known; did you mean `after_forward`?"));
  const std::vector<Row> rows =
      run(replaced(replaced(tiny, R"("end":168)", R"("end":168,"after_saving":5)"), "{\"id\"",
                   R"({"remark":"texts are none","watts":[300],"id")"));
  CHECK(count(rows, Status::input_error) == 0);
  Lines unknown;
  for (const Row& row : rows)
    if (row.reason == "no such quantity is known") unknown.push_back(row.id + " " + row.quantity);
  CHECK(unknown == Lines{"tiny step0 after_saving", "tiny watts"});
}

TEST_CASE("an id that is given twice is told; the first row keeps it") {
  const std::vector<Row> rows = run(tiny + "\n" + tiny + "\n");
  CHECK(reasons(rows, Status::input_error) ==
        Lines{"tiny: E142 rows.jsonl:2:7: id `tiny` is also that of line 1"});
  CHECK(count(rows, Status::ok) == count(run(tiny), Status::ok));
}

TEST_CASE("a row with nothing that can be compared is not ok") {
  const std::string bare = R"({"id":"tiny","family":"mlp","args":{"dims":[4,3]},"batch":2,)"
                           R"("steps":[{"step":0,"watts":300}]})";
  CHECK(errors(bare, "") ==
        Lines{"tiny: E114 rows.jsonl:1:1: traces: there is no tiny.txt (or tiny.txt.gz)",
              "tiny: E114 rows.jsonl:1:1: nothing in this row can be compared"});
}

TEST_CASE("more steps and operations than were ever recorded are not walked through") {
  std::string steps = R"({"step":0,"peak":200})";
  for (int i = 1; i <= 1000; ++i) steps += R"(,{"step":)" + std::to_string(i) + R"(,"peak":200})";
  const std::string many = R"({"id":"tiny","family":"mlp","args":{"dims":[4,3]},"batch":2,)"
                           R"("steps":[)" +
                           steps + "]}";
  CHECK(reasons(run(many), Status::not_modelled) == Lines{"tiny: more than 1000 steps"});
  const std::string deep =
      R"({"id":"tiny","family":"gpt","args":{"vocab":9,"block":4,"n_layer":300,"n_head":1,)"
      R"("n_embd":1},"batch":1,"accum":256,"steps":[{"step":0,"peak":1}]})";
  CHECK(reasons(run(deep), Status::not_modelled) == Lines{"tiny: more than 4000000 operations"});
}

TEST_CASE("a trace is compared line by line, markers and operators included") {
  const auto sequences = [](const std::string& trace) {
    std::vector<Row> rows = run(tiny, trace);
    std::erase_if(rows, [](const Row& row) { return !row.quantity.starts_with("sequence"); });
    return rows;
  };
  const std::vector<Row> good = sequences(tiny_trace);
  REQUIRE(good.size() == 4);
  for (const Row& row : good) {
    CHECK(row.status == Status::ok);
    CHECK(row.measured.integer == 29);
    CHECK(row.unit == "events");
  }
  const auto parting = [&](const std::string& from, const std::string& to) {
    const std::vector<Row> rows = sequences(replaced(tiny_trace, from, to));
    const auto off = std::ranges::find(rows, Status::off, &Row::status);
    REQUIRE(off != rows.end());
    return off->reason;
  };
  CHECK(parting("a 12 48", "a 12 49") ==
        "traces/tiny.txt:22: event 22 (step0_backward): the trace allocates 49 bytes as 12 (mm), "
        "memsim allocates 48 bytes as 12 (mm)");
  CHECK(parting("48 mm", "48 bmm") ==
        "traces/tiny.txt:22: event 22 (step0_backward): the trace allocates 48 bytes as 12 (bmm), "
        "memsim allocates 48 bytes as 12 (mm)");
  CHECK(parting("f 10\nf 6\n", "f 6\nf 10\n") ==
        "traces/tiny.txt:20: event 20 (step0_backward): the trace releases 6, memsim releases 10");
  // The first, the last and one in the middle.
  CHECK(parting("m model\n", "") ==
        "traces/tiny.txt:1: event 1: the trace allocates 48 bytes as 1 (empty.memory_format), "
        "memsim comes to model");
  CHECK(parting("m finish\n", "") ==
        "traces/tiny.txt:28: event 29 (step0_end): the trace ends, memsim comes to finish");
  CHECK(parting("f 9\n", "") ==
        "traces/tiny.txt:25: event 25 (step0_backward): the trace comes to step0_optimizer, memsim "
        "releases 9");
  CHECK(parting("m finish\n", "m finish\nm more\n") ==
        "traces/tiny.txt:30: event 30 (finish): the trace comes to more, memsim ends");
}

TEST_CASE("a trace that is missing, damaged or without a row is told") {
  CHECK(errors(tiny, "") ==
        Lines{"tiny: E114 rows.jsonl:1:1: traces: there is no tiny.txt (or tiny.txt.gz)"});
  CHECK(errors(tiny, "a 1 48 empty\nx\n") ==
        Lines{"tiny: E113 traces/tiny.txt:2:1: 'x' is no marker, allocation or release"});
  CHECK(errors(tiny, "\n") == Lines{"tiny: E114 traces/tiny.txt:2:1: the trace has no events"});
  // Also where nothing is predicted.
  CHECK(errors(replaced(tiny, "\"sgd\"", "\"lion\""), "x\n").size() == 1);

  const test::TemporaryFolder folder;
  folder.write("traces/tiny.txt", tiny_trace);
  folder.write("traces/other.txt.gz", tiny_trace);
  CHECK(reasons(run_kind(torch_kind, folder.write("rows.jsonl", tiny)), Status::not_modelled)
            .back() == "other: a trace that no row speaks of");
}

}  // namespace
}  // namespace memsim::validate
