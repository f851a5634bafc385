"""Builds the wheel with nothing but the standard library, and the same bytes each time:

    python3 backend.py DIST [VERSION]
"""

import base64
import hashlib
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def version():
    with open(os.path.join(HERE, "agents_hooks", "__init__.py"), encoding="utf-8") as f:
        return re.search(r'__version__ = "([^"]+)"', f.read()).group(1)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    release = (config_settings or {}).get("version") or version()
    files = {}
    package = os.path.join(HERE, "agents_hooks")
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".typed")):
            with open(os.path.join(package, name), "rb") as f:
                files["agents_hooks/" + name] = f.read()
    init = files["agents_hooks/__init__.py"].decode()
    files["agents_hooks/__init__.py"] = re.sub(r'__version__ = "[^"]+"', f'__version__ = "{release}"', init).encode()
    info = f"agents_hooks-{release}.dist-info/"
    license = os.path.join(HERE, "..", "..", "LICENSE")
    if os.path.exists(license):  # not where somebody copied this folder alone
        with open(license, "rb") as f:
            files[info + "LICENSE"] = f.read()
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    files[info + "METADATA"] = (
        f"Metadata-Version: 2.1\nName: agents-hooks\nVersion: {release}\nSummary: HOOK.md hooks for an agent in Python.\n"
        "Home-page: https://github.com/agents-hooks/agents-hooks\nLicense: MIT\nLicense-File: LICENSE\nRequires-Python: >=3.9\n"
        f"Classifier: Typing :: Typed\nDescription-Content-Type: text/markdown\n\n{readme}"
    ).encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: agents-hooks\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    record.append(f"{info}RECORD,,\n")
    files[info + "RECORD"] = "".join(record).encode()
    wheel = f"agents_hooks-{release}-py3-none-any.whl"
    os.makedirs(wheel_directory, exist_ok=True)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: backend.py DIST [VERSION]")
    print(build_wheel(sys.argv[1], {"version": sys.argv[2]} if len(sys.argv) == 3 else None))
