// Which words of a machine's description are understood: what is left over may be what matters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/compare/hardware_words.hpp"

namespace memsim::validate {

class HardwareReading {
 public:
  explicit HardwareReading(std::string_view hardware);

  // The words of `text` are understood where they are written: a name or description of the machine
  // that was found.
  void knows(std::string_view text);
  // The model behind a maker ("Xeon 8458P") makes no difference to what is asked.
  void knows_processor();
  // A model in one word or several ("RTX 4090"), and the words of its variants.
  void knows_model(const PartName& part);

  // The first word that neither those nor the vocabulary of measurements understands; empty: none.
  [[nodiscard]] std::string unread() const;

 private:
  struct Written {
    std::string text;
    bool understood = false;
  };
  std::vector<Written> words_;
};

}  // namespace memsim::validate
