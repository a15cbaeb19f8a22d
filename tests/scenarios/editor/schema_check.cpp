#include "tests/scenarios/editor/schema_check.hpp"

#include <array>
#include <regex>
#include <set>
#include <stdexcept>

namespace memsim::scenarios {
namespace {

using Json = nlohmann::json;

class Checker {
 public:
  explicit Checker(const Json& root) : root_(root) {}

  std::string check(const Json& schema, const Node& value) {
    static const std::set<std::string> known{"$schema",
                                             "$defs",
                                             "$ref",
                                             "title",
                                             "description",
                                             "default",
                                             "examples",
                                             "type",
                                             "enum",
                                             "const",
                                             "pattern",
                                             "minimum",
                                             "maximum",
                                             "maxLength",
                                             "items",
                                             "minItems",
                                             "maxItems",
                                             "properties",
                                             "required",
                                             "additionalProperties",
                                             "anyOf",
                                             "oneOf",
                                             "patternProperties"};
    for (const auto& [keyword, unused] : schema.items())
      if (!known.contains(keyword)) throw std::runtime_error("unknown keyword " + keyword);
    for (const auto rule : {&Checker::reference, &Checker::alternatives, &Checker::type,
                            &Checker::scalar, &Checker::table, &Checker::list}) {
      if (std::string wrong = (this->*rule)(schema, value); !wrong.empty())
        return value.location.text() + ": " + wrong;
    }
    return "";
  }

 private:
  std::string reference(const Json& schema, const Node& value) {
    if (!schema.contains("$ref")) return "";
    const std::string path = schema["$ref"];
    const std::string prefix = "#/$defs/";
    if (!path.starts_with(prefix)) throw std::runtime_error("a reference to " + path);
    return check(root_.at("$defs").at(path.substr(prefix.size())), value);
  }

  std::string alternatives(const Json& schema, const Node& value) {
    for (const char* keyword : {"anyOf", "oneOf"}) {
      if (!schema.contains(keyword)) continue;
      std::string why;
      int fitting = 0;
      for (const Json& each : schema[keyword]) {
        const std::string wrong = check(each, value);
        if (wrong.empty()) ++fitting;
        why += "\n  " + wrong;
      }
      if (fitting == 0) return "no alternative:" + why;
      if (fitting > 1 && keyword == std::string("oneOf")) return "several alternatives";
    }
    return "";
  }

  std::string type(const Json& schema, const Node& value) {
    if (!schema.contains("type")) return "";
    const std::string wanted = schema["type"];
    const bool good =
        (wanted == "object" && value.type == NodeType::table) ||
        (wanted == "array" && value.type == NodeType::list) ||
        (wanted == "string" && value.type == NodeType::text) ||
        (wanted == "boolean" && value.type == NodeType::flag) ||
        ((wanted == "integer" || wanted == "number") && value.type == NodeType::integer) ||
        (wanted == "number" && value.type == NodeType::real);
    return good ? "" : "expected " + wanted;
  }

  std::string scalar(const Json& schema, const Node& value) {
    if (schema.contains("const") && value.text != schema["const"]) return "another constant";
    if (schema.contains("enum")) {
      bool found = false;
      for (const Json& word : schema["enum"]) found = found || word == value.text;
      if (!found || value.type != NodeType::text) return value.text + " is no word";
    }
    if (schema.contains("pattern") &&
        !std::regex_search(value.text, std::regex(schema["pattern"].get<std::string>())))
      return value.text + " is no quantity";
    if (schema.contains("maxLength") && value.text.size() > schema["maxLength"]) return "too long";
    if (schema.contains("minimum")) {
      const double number = std::stod(value.text);
      if (number < schema["minimum"] || number > schema["maximum"]) return "out of range";
    }
    return "";
  }

  std::string table(const Json& schema, const Node& value) {
    if (value.type != NodeType::table) return "";
    if (schema.contains("required"))
      for (const std::string key : schema["required"])
        if (value.find(key) == nullptr) return key + " is missing";
    if (!schema.contains("properties")) return "";
    for (const Entry& entry : value.entries) {
      const Json* described = property(schema, entry.key);
      if (described == nullptr) return "unknown key " + entry.key;
      if (std::string wrong = check(*described, entry.value); !wrong.empty()) return wrong;
    }
    return "";
  }

  static const Json* property(const Json& schema, const std::string& key) {
    if (schema["properties"].contains(key)) return &schema["properties"][key];
    if (!schema.contains("patternProperties")) return nullptr;
    for (const auto& [pattern, described] : schema["patternProperties"].items())
      if (std::regex_search(key, std::regex(pattern))) return &described;
    return nullptr;
  }

  std::string list(const Json& schema, const Node& value) {
    if (value.type != NodeType::list) return "";
    if (schema.contains("minItems") && value.items.size() < schema["minItems"]) return "too few";
    if (schema.contains("maxItems") && value.items.size() > schema["maxItems"]) return "too many";
    if (!schema.contains("items")) return "";
    for (const Node& item : value.items)
      if (std::string wrong = check(schema["items"], item); !wrong.empty()) return wrong;
    return "";
  }

  const Json& root_;
};

}  // namespace

std::string violation(const Json& root, const Node& value) {
  return Checker(root).check(root, value);
}

}  // namespace memsim::scenarios
