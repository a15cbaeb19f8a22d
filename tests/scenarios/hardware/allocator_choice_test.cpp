#include "scenarios/hardware/allocator_choice.hpp"

#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

std::string faults(const std::string& kind, const std::string& options) {
  Diagnostics diagnostics;
  check_allocator({.kind = kind, .options = options}, Node(), diagnostics);
  return diagnostics.text("");
}

}  // namespace

TEST_CASE("an allocator that is there and takes its options is fine") {
  CHECK(faults("torch", "").empty());
  CHECK(faults("torch", "expandable_segments:True,roundup_power2_divisions:[1:4,>:2]").empty());
  CHECK(faults("driver", "").empty());
}

TEST_CASE("an unknown allocator (E107), or one that refuses its options (E138), is an error") {
  CHECK(faults("torhc", "").find("did you mean `torch`?") != std::string::npos);
  CHECK(faults("torhc", "").starts_with("error[E107]: `torhc` is no allocator"));
  CHECK(faults("torch", "bogus:1").starts_with("error[E138]: the allocator torch refuses"));
  CHECK(faults("torch", "bogus:1").find("Unrecognized CachingAllocator option: bogus") !=
        std::string::npos);
  CHECK(faults("driver", "x:1").find("driver knows no option 'x'; it has none") !=
        std::string::npos);
}

TEST_CASE("the words after --allocator name the allocator of every GPU, and its options") {
  Sources sources;
  const auto settings = [&](const std::string& text) {
    const Node root = allocator_override(text, sources);
    const Node* allocator = root.find("gpu")->find("allocator");
    REQUIRE(allocator != nullptr);
    return std::pair(allocator->find("default")->text, allocator->find("options")->text);
  };
  CHECK(settings("driver") == std::pair<std::string, std::string>("driver", ""));
  CHECK(settings("torch:a:1,b:2") == std::pair<std::string, std::string>("torch", "a:1,b:2"));
  CHECK(settings("torch:") == std::pair<std::string, std::string>("torch", ""));
  CHECK(settings("") == std::pair<std::string, std::string>("", ""));
}

}  // namespace memsim::scenarios
