// Output: temporary names and renames (models/base/file.h).
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/base/file.h"
#include "models/base/progress.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

constexpr int kReaderSeconds = 10;  ///< that a named pipe is given to be opened by a reader

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw InputError(DiagCode::FileWrite, {path}, "cannot write '" + path + "': " + why);
}
[[noreturn]] void cannot_write(const std::string& path, int error) { cannot_write(path, std::strerror(error)); }

/// A file descriptor that is closed with its owner.
struct Descriptor {
  int fd;
  explicit Descriptor(int opened) : fd(opened) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

/// Zero, or the error.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      pollfd entry{fd, POLLOUT, 0};
      poll(&entry, 1, 1000);
      continue;
    }
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

/// Nobody foresees the name, so nobody has put anything in its place.
std::string temporary_beside(const std::string& path) {
  std::array<unsigned char, 12> bits{};
  if (getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size())) cannot_write(path, "the system gives no random numbers");
  std::string name = ".gg-harness-";
  for (const unsigned b : bits) name += {"0123456789abcdef"[b >> 4U], "0123456789abcdef"[b & 15U]};
  return (fs::path(path).parent_path() / name).string();
}

/// A name that goes when its owner does, unless it was renamed.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)), outermost_(progress().temporary.get().empty()) {
    if (outermost_) note_temporary(path_);
  }
  ~Temporary() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (outermost_) note_temporary("");
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

 private:
  std::string path_;
  bool outermost_;  ///< no file of a folder that goes as a whole
};

/// Writes to a device, a pipe or a file that is already open as stdout or stderr. False: it is none of them.
bool write_to_stream(const std::string& path, std::string_view text) {
  struct stat there {
  }, link{}, open_file{};
  if (lstat(path.c_str(), &link) != 0 || stat(path.c_str(), &there) != 0) return false;
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    if (fstat(fd, &open_file) != 0 || open_file.st_dev != there.st_dev || open_file.st_ino != there.st_ino) continue;
    if (const int error = write_all(fd, text); error != 0) cannot_write(path, error);
    return true;
  }
  if (S_ISREG(there.st_mode)) return false;
  for (int tries = 0; tries < kReaderSeconds * 20; ++tries) {
    const Descriptor file(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (file.fd < 0 && errno == ENXIO) {
      poll(nullptr, 0, 50);
      continue;
    }
    const int error = file.fd < 0 ? errno : write_all(file.fd, text);
    if (error != 0) cannot_write(path, error);
    return true;
  }
  cannot_write(path, "nobody reads from it");
}

void refuse_links(const std::string& path) {
  struct stat link {};
  if (lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) cannot_write(path, "it is a symbolic link, which is not followed");
}

bool is_of(const FolderContent& content, std::string_view name) {
  return name == content.mark || std::any_of(content.others.begin(), content.others.end(), [&](std::string_view own) {
           return own.back() == '*' ? name.substr(0, own.size() - 1) == own.substr(0, own.size() - 1) : name == own;
         });
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  if (write_to_stream(path, text)) return;
  refuse_links(path);
  const std::string temporary = temporary_beside(path);
  const Temporary removed(temporary);
  {
    const Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.fd < 0) cannot_write(path, errno);
    if (const int error = write_all(file.fd, text); error != 0) cannot_write(path, error);
    if (const int copy = dup(file.fd); copy >= 0 && close(copy) != 0) cannot_write(path, errno);  // some file systems say it only now
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) cannot_write(path, errno);
}

void write_folder(const std::string& given, const FolderContent& content, const std::function<void(const std::string& folder)>& fill) {
  std::string path = fs::path(given).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  refuse_links(path);
  std::error_code error;
  if (const fs::path parent = fs::path(path).parent_path(); !parent.empty()) fs::create_directories(parent, error);
  if (error) cannot_write(given, error.message());
  const bool there = is_folder(path);
  if (there) {
    bool marked = false, empty = true;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      const std::string name = entry.path().filename().string();
      if (!is_of(content, name)) cannot_write(given, "the folder holds '" + name + "', which is not of an earlier one");
      empty = false;
      marked |= name == content.mark;
    }
    if (error) cannot_write(given, error.message());
    if (!empty && !marked) cannot_write(given, "the folder holds no '" + std::string(content.mark) + "', so that it is not an earlier one");
  } else if (fs::exists(fs::symlink_status(path, error))) {
    cannot_write(given, "it is there and is no folder");
  }
  const std::string temporary = temporary_beside(path);
  const Temporary removed(temporary);
  if (mkdir(temporary.c_str(), 0777) != 0) cannot_write(given, errno);
  fill(temporary);
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), is_folder(path) ? RENAME_EXCHANGE : 0) == 0) return;
  // A file system without exchange, or another process that was quicker: the old folder goes first.
  const std::string old = temporary_beside(path);
  rename(path.c_str(), old.c_str());
  const int result = rename(temporary.c_str(), path.c_str());
  const int why = errno;
  fs::remove_all(old, error);
  if (result != 0) cannot_write(given, why);
}

}  // namespace gg
