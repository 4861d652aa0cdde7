// gg-harness.
#include "harness/cli/command.h"
#include "models/base/frame.h"

int main(int argc, char** argv) {
  return gg::run_watched("gg-harness", [&](const gg::Ending* ending) { return gg::dispatch(argc, argv, ending); });
}
