#include "app/command_line.hpp"

int main(int argc, char** argv) { return memsim::app::run_command_line(argc, argv); }
