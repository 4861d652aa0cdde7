// Chains of edits (harness/pinpoint/chains.h).
#include "harness/pinpoint/chains.h"

#include <algorithm>

#include "harness/pinpoint/synthesis.h"

namespace gg::pinpoint {
namespace {

/// What an edit is made of, without sizes and texts.
std::string form(const Repair& repair) {
  std::string text = std::to_string(repair.place) + " " + std::to_string(static_cast<int>(repair.diagnosis)) + " " +
                     std::to_string(static_cast<int>(repair.kind));
  for (const Added& added : repair.patch.added) text += " +" + std::string(info(added.op).name);
  for (const Changed& changed : repair.patch.changed) text += " " + std::to_string(changed.id) + std::string(info(changed.op).name);
  for (const Reroute& reroute : repair.patch.reroutes) text += " " + std::to_string(reroute.from);
  return text;
}

bool same_words(const Repair& a, const Repair& b) { return a.text == b.text && a.edit == b.edit; }

/// Of `there`, all edits of the full program, the one that `wanted` is among `here`: the same words, where nothing in them has changed
/// with the sizes; else the one that has the same number among those of its form.
std::optional<Repair> counterpart(const Repair& wanted, const std::vector<Repair>& here, std::vector<Repair> there) {
  const std::string as = form(wanted);
  std::size_t number = 0;
  for (const Repair& repair : here) {
    if (form(repair) != as) continue;
    if (same_words(repair, wanted)) break;
    ++number;
  }
  auto found = std::find_if(there.begin(), there.end(), [&](const Repair& r) { return form(r) == as && same_words(r, wanted); });
  if (found == there.end()) {
    found = std::find_if(there.begin(), there.end(), [&](const Repair& r) { return form(r) == as && number-- == 0; });
  }
  return found == there.end() ? std::nullopt : std::optional(std::move(*found));
}

}  // namespace

Name name_of(const Module& module, InstructionId id) {
  return Name(module.string(module.computation(module.computation_of(id)).name), module.name_of(id));
}

Chains::Chains(Case& original, const Search& search, Views& views, Trials& trials)
    : original_(original), search_(search), views_(views), trials_(trials) {
  for (InstructionId id = 0; id < original.distributed->size(); ++id) names_.emplace(name_of(*original.distributed, id), id);
}

const Module& Chains::after(const Chain& chain, std::size_t length) const {
  return length == 0 ? *original_.distributed : chain.edits[length - 1]->module;
}

std::shared_ptr<View> Chains::view(const Chain& chain, std::size_t length) {
  View& first = views_.original();
  if (length == 0) return std::shared_ptr<View>(std::shared_ptr<void>(), &first);
  return views_.of(after(chain, length), first);
}

std::optional<InstructionId> Chains::in_original(const Module& module, InstructionId id) const {
  const auto found = names_.find(name_of(module, id));
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

Told Chains::told_at(View& view, Source source) {
  if (source != Source::Catalogue || !view.trace.complete()) return {};
  const Kinship& kin = views_.kin(view);
  Told told{told_repairs(view.context, kin, search_.full == nullptr), kin.unexplained()};
  std::erase_if(told.repairs, [&](const Repair& r) { return !in_original(view.module(), r.place); });
  return told;
}

/// The chain without one edit; later ones that have no place any more are left out too.
Chain Chains::without(const Chain& chain, std::size_t left_out, Source source) {
  Chain result;
  result.edits.assign(chain.edits.begin(), chain.edits.begin() + static_cast<std::ptrdiff_t>(left_out));
  for (std::size_t k = left_out + 1; k < chain.edits.size(); ++k) {
    const Repair& wanted = chain.edits[k]->repair;
    const Name name = name_of(chain.edits[k - 1]->module, wanted.at);
    const std::shared_ptr<View> now = view(result);
    const Module& module = now->module();
    std::vector<Repair> all;
    InstructionId place = 0;
    if (source == Source::Sequential && now->trace.complete()) all = replacements(now->context);
    for (InstructionId id = 0; source == Source::Catalogue && id < module.size(); ++id) {
      if (name_of(module, id) != name) continue;
      place = id;
      all = repairs_at(now->context, id);
    }
    for (Repair& repair : told_at(*now, source).repairs) {
      if (repair.at == place) all.push_back(std::move(repair));
    }
    const auto same = std::find_if(all.begin(), all.end(), [&](const Repair& r) { return same_words(r, wanted); });
    if (same == all.end()) continue;
    same->at = place;
    if (auto edited = patched(module, same->patch)) {
      result.edits.push_back(std::make_shared<const Found>(Found{std::move(*same), std::move(*edited), {}}));
    }
  }
  return result;
}

Chain Chains::simplified(Chain chain, Source source) {
  for (std::size_t k = 0; k < chain.edits.size() && chain.edits.size() > 1;) {
    Chain shorter = without(chain, k, source);
    if (!shorter.edits.empty() && trials_.run(shorter.edits.back()->module).mends()) chain = std::move(shorter);
    else ++k;
  }
  return chain;
}

std::optional<Carried> Chains::carried_over(const Chain& chain, Source source) {
  try {
    Carried result{Module(*search_.full->distributed), {}};
    for (std::size_t k = 0; k < chain.edits.size(); ++k) {
      const Repair& wanted = chain.edits[k]->repair;
      const std::shared_ptr<View> small = view(chain, k);
      const Case large = with_distributed(*search_.full, Module(result.module));
      const Context full(large, &small->trace);
      const Kinship* kin = source == Source::Catalogue && small->trace.complete() ? &views_.kin(*small) : nullptr;
      const auto all = [&](const Context& at) {
        if (source == Source::Sequential) return replacements(at);
        std::vector<Repair> repairs = repairs_at(at, wanted.at);
        for (Repair& repair : kin != nullptr ? told_repairs(at, *kin, false) : std::vector<Repair>{}) {
          if (repair.at == wanted.at) repairs.push_back(std::move(repair));
        }
        return repairs;
      };
      auto found = counterpart(wanted, all(small->context), all(full));
      std::optional<Module> next;
      if (found) {
        next = patched(result.module, found->patch);
        result.repairs.push_back(std::move(*found));
      }
      if (!next) return std::nullopt;
      result.module = std::move(*next);
    }
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace gg::pinpoint
