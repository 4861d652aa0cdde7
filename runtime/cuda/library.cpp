// Libraries found at run time (runtime/cuda/library.h).
#include "runtime/cuda/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <cstdlib>

namespace gg::cuda {
namespace {

/// Pythons keep pip's packages below these.
constexpr const char* kPackages = "/lib/python3*/*-packages/nvidia/*/lib";
constexpr const char* kToolkits[] = {"/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/usr/local/cuda-1*/lib64",
                                     "/opt/cuda/lib64", "/usr/lib/x86_64-linux-gnu"};
constexpr const char* kPythons[] = {"/usr/local", "/usr", "/opt/conda", "/opt/venv"};

void add_matches(const std::string& pattern, std::vector<std::string>& folders) {
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t k = 0; k < found.gl_pathc; ++k) folders.emplace_back(found.gl_pathv[k]);
  }
  globfree(&found);
}

void add_packages_of(const char* variable, const char* below, std::vector<std::string>& folders) {
  const char* root = std::getenv(variable);
  if (root != nullptr && *root != 0) add_matches(std::string(root) + below + kPackages, folders);
}

/// The folders that the variable names, separated by colons.
std::vector<std::string> list_of(const char* variable) {
  std::vector<std::string> parts;
  const char* given = std::getenv(variable);
  const std::string list = given != nullptr ? given : "";
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    if (end > at) parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::vector<std::string> library_folders() {
  std::vector<std::string> folders = list_of("GG_LIBRARIES");
  char own[4096];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof(own));
  if (length > 0) {
    const std::string path(own, static_cast<std::size_t>(length));
    folders.push_back(path.substr(0, path.rfind('/')));
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable)) folders.push_back(std::string(root) + "/lib64");
  }
  add_packages_of("VIRTUAL_ENV", "", folders);
  add_packages_of("CONDA_PREFIX", "", folders);
  add_packages_of("HOME", "/.local", folders);
  for (const std::string& programs : list_of("PATH")) {  // a Python that is not activated but found
    if (access((programs + "/python3").c_str(), X_OK) == 0) add_matches(programs + "/.." + kPackages, folders);
  }
  for (const char* root : kPythons) add_matches(std::string(root) + kPackages, folders);
  for (const char* pattern : kToolkits) add_matches(pattern, folders);
  return folders;
}

Library::Library(const std::vector<std::string>& names) {
  const std::vector<std::string> folders = library_folders();
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    for (std::size_t k = 0; handle_ == nullptr && k < folders.size(); ++k) {
      text_ = folders[k] + "/" + name;
      if (access(text_.c_str(), R_OK) != 0) continue;
      handle_ = dlopen(text_.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ == nullptr) break;  // there, but broken: its own message says why
    }
    if (handle_ != nullptr) {
      if (text_.empty()) text_ = name;
      return;
    }
  }
  const char* why = dlerror();
  text_ = names.front() + " was not found (GG_LIBRARIES names folders)" + (why != nullptr ? std::string(": ") + why : "");
}

void* Library::symbol(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace gg::cuda
