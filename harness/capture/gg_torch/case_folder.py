"""The folder of a case of graphs: their texts, the relation and the log of what was captured."""
import json
import os


def write_case(out, texts, relation, log):
    """Writes texts {"sequential.fx": text, "distributed.r0.fx": ...}, relation.json and capture.log (lines) into the folder `out`, which is made; returns it."""
    os.makedirs(out, exist_ok=True)
    for name, text in {**texts, "relation.json": json.dumps(relation, indent=1) + "\n", "capture.log": "\n".join(log) + "\n"}.items():
        with open(os.path.join(out, name), "w") as f:
            f.write(text)
    return out
