// Writes a case with all instructions and computations renamed and all metadata removed.
// usage: pinpoint_renamed CASE FOLDER      prints a line an instruction of the distributed program: new name, old name
#include <cstdio>
#include <filesystem>
#include <string>

#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/hlo/printer.h"
#include "models/mutation/rewritten.h"
#include "models/pair/case.h"

int main(int argc, char** argv) {
  if (argc != 3) return 3;
  try {
    const std::string from = argv[1], to = argv[2];
    const gg::Case c = gg::load_case(from, {});
    std::filesystem::create_directories(to);
    for (const auto& entry : std::filesystem::directory_iterator(from)) {
      std::filesystem::copy(entry.path(), to, std::filesystem::copy_options::overwrite_existing);
    }
    const gg::Module sequential = gg::anonymous(*c.sequential), distributed = gg::anonymous(*c.distributed);
    for (const char* name : {"/sequential.hlo", "/distributed.hlo"}) std::filesystem::remove(to + name);
    gg::write_file(to + "/sequential.hlo", gg::print_hlo(sequential));
    gg::write_file(to + "/distributed.hlo", gg::print_hlo(distributed));
    for (gg::InstructionId id = 0; id < distributed.size(); ++id) {
      std::printf("%s %s\n", std::string(distributed.name_of(id)).c_str(), std::string(c.distributed->name_of(id)).c_str());
    }
  } catch (const gg::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
