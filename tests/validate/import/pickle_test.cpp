#include "validate/import/pickle.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

std::string bytes(std::string_view hex) {
  std::string result;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    result += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return result;
}

Pickle read(std::string_view hex) {
  auto pickle = Pickle::read(bytes(hex));
  REQUIRE(pickle.has_value());
  return *std::move(pickle);
}

std::string error_of(std::string_view hex) {
  const auto pickle = Pickle::read(bytes(hex));
  return pickle ? "" : pickle.error().message;
}

// pickle.dumps({"a": [1, -2, 70000, 2**40, -2**40, 255, 256],
//               "b": (None, True, False, 1.5, "x"), "c": {}, "d": ()}, protocol) of CPython 3.11
constexpr std::string_view protocol_2 =
    "80027d71002858010000006171015d7102284b014afeffffff4a701101008a060000000000018a060000000000ff4b"
    "ff4d0001655801000000627103284e8889473ff800000000000058010000007871047471055801000000637106"
    "7d7107580100000064710829752e";
constexpr std::string_view protocol_4 =
    "80049550000000000000007d94288c0161945d94284b014afeffffff4a701101008a060000000000018a0600000000"
    "00ff4bff4d0001658c016294284e8889473ff80000000000008c01789474948c0163947d948c01649429752e";

}  // namespace

TEST_CASE("plain data is read as Python writes it, by both protocols") {
  for (const std::string_view hex : {protocol_2, protocol_4}) {
    const Pickle pickle = read(hex);
    REQUIRE(pickle.type(pickle.root()) == Pickle::Type::dict);
    const auto list = pickle.find(pickle.root(), "a");
    REQUIRE(list.has_value());
    std::vector<std::int64_t> numbers;
    for (const Pickle::Id item : pickle.items(*list)) numbers.push_back(pickle.integer(item));
    constexpr std::int64_t large = std::int64_t{1} << 40;
    CHECK(numbers == std::vector<std::int64_t>{1, -2, 70000, large, -large, 255, 256});
    const auto tuple = pickle.find(pickle.root(), "b");
    REQUIRE(tuple.has_value());
    const std::vector<Pickle::Id>& items = pickle.items(*tuple);
    REQUIRE(items.size() == 5);
    CHECK(pickle.type(items[0]) == Pickle::Type::none);
    CHECK(pickle.integer(items[1]) == 1);
    CHECK(pickle.integer(items[2]) == 0);
    CHECK(pickle.type(items[3]) == Pickle::Type::real);
    CHECK(pickle.text(items[4]) == "x");
    CHECK(pickle.items(*pickle.find(pickle.root(), "c")).empty());
    CHECK(pickle.type(*pickle.find(pickle.root(), "d")) == Pickle::Type::tuple);
    CHECK_FALSE(pickle.find(pickle.root(), "e").has_value());
  }
}

TEST_CASE("a value that is named again is the same one") {
  // x = [7]; [x, x] of protocol 2: the second one is recalled from the memo.
  const Pickle pickle = read("80025d7100285d71014b07616801652e");
  const std::vector<Pickle::Id>& items = pickle.items(pickle.root());
  REQUIRE(items.size() == 2);
  CHECK(items[0] == items[1]);
  CHECK(pickle.integer(pickle.items(items[0]).front()) == 7);
}

TEST_CASE("what would look up or call something is refused before it is looked at") {
  // cos\nsystem\n(S'ls'\ntR.
  CHECK(error_of("8002636f730a73797374656d0a2853276c73270a74522e").find("opcode 0x63") !=
        std::string::npos);
  for (const std::string_view opcode : {"52", "62", "81", "92", "93", "82", "69", "6f", "51", "97"})
    CHECK(
        error_of(std::string("80024e") + std::string(opcode) + "2e").find("nothing of it is run") !=
        std::string::npos);
}

TEST_CASE("lengths are held against what is there") {
  // A text of 2 GB in twelve bytes.
  CHECK(error_of("800258ffffff7f61622e").find("claims a text longer than the rest") !=
        std::string::npos);
  CHECK(error_of("8002").find("byte 2: it ends early") != std::string::npos);
  CHECK(error_of("80024a0102").find("ends early") != std::string::npos);
  CHECK(error_of("80028a090102030405060708092e").find("beyond 64 bits") != std::string::npos);
  CHECK(error_of("").find("ends early") != std::string::npos);
}

TEST_CASE("a stack that does not hold what an opcode takes is damage, not a crash") {
  CHECK(error_of("80022e").find("unfinished") != std::string::npos);
  CHECK(error_of("80024e4e2e").find("unfinished") != std::string::npos);
  CHECK(error_of("8002614e2e").find("more values than there are") != std::string::npos);
  CHECK(error_of("80024e4b01612e").find("holds none") != std::string::npos);
  CHECK(error_of("80027d284b01752e").find("a key without a value") != std::string::npos);
  CHECK(error_of("80027d752e").find("a mark that is not there") != std::string::npos);
  CHECK(error_of("800268002e").find("did not remember") != std::string::npos);
  CHECK(error_of("800271002e").find("not there") != std::string::npos);
  CHECK(error_of("80024e862e").find("more values than there are") != std::string::npos);
  CHECK(error_of("80025d284b012e").find("unfinished") != std::string::npos);
}

TEST_CASE("numbers of the memo may have gaps") {
  // None under 4294967295, dropped into a list, recalled.
  CHECK(read("80024e72ffffffff6affffffff862e")
            .items(read("80024e72ffffffff6affffffff862e").root())
            .size() == 2);
}

}  // namespace memsim::validate
