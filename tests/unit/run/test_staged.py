"""The hook refuses staged files in bad form, and looks at nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from run import staged

ROOT = Path(__file__).parents[3]
GOOD, BAD = "x = 1\n", "x=1\n"


def git(*arguments: str) -> None:
    """Run git, which must succeed."""
    subprocess.run(("git", *arguments), check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of its own with our programs and settings, in which the process is."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    git("init", "--quiet")
    (tmp_path / "api").mkdir()
    shutil.copy(ROOT / "api/pyproject.toml", tmp_path / "api")
    (tmp_path / "output").mkdir()
    (tmp_path / "output/venv").symlink_to(sys.prefix)
    return tmp_path


def stage(path: Path, text: str) -> None:
    """Write a file and stage it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git("add", str(path))


def test_a_formatted_file_passes(tree: Path) -> None:
    stage(tree / "api/a file.py", f"from __future__ import annotations\n\n{GOOD}")
    stage(tree / "notes.txt", "x=1")
    assert staged.main([]) == 0


def test_a_staged_file_that_is_not_in_form_is_named(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stage(tree / "tests/fine.py", f"from __future__ import annotations\n\n{GOOD}")
    stage(tree / "tests/wrong.py", f"from __future__ import annotations\n\n{BAD}")
    assert staged.main([]) == 1
    errors = capfd.readouterr().err
    assert "tests/wrong.py is not in form" in errors and "fine.py" not in errors


def test_the_staged_content_counts_and_not_the_file(tree: Path) -> None:
    stage(tree / "tests/one.py", f"from __future__ import annotations\n\n{GOOD}")
    (tree / "tests/one.py").write_text(BAD)
    assert staged.main([]) == 0


def test_a_program_that_lacks_is_named(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "webui").mkdir()
    stage(tree / "webui/page.ts", "const x = 1;\n")
    assert staged.main([]) == 1
    assert "make lint" in capsys.readouterr().err


@pytest.mark.skipif(
    not (ROOT / staged.PRETTIER).exists(),
    reason="prettier is not installed here: it needs node and `make webui/dist/index.html`",
)
@pytest.mark.parametrize(("text", "status"), [("const x = 'y';\n", 0), ('const x = "y"\n', 1)])
def test_files_of_the_web_interface_are_prettiers(tree: Path, text: str, status: int) -> None:
    (tree / "webui").mkdir()
    (tree / "webui/node_modules").symlink_to(ROOT / "webui/node_modules")
    shutil.copy(ROOT / "webui/.prettierrc.json", tree / "webui")
    stage(tree / "tests/webui/page.mjs", text)
    assert staged.main([]) == status


def test_the_hook_is_installed_once_and_never_over_another(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = tree / ".git/hooks/pre-commit"
    assert [staged.main(["install"]) for _ in range(2)] == [0, 0]
    assert hook.read_text() == staged.HOOK and hook.stat().st_mode & 0o111
    hook.write_text("#!/bin/sh\n")
    assert staged.main(["install"]) == 1
    assert "not ours" in capsys.readouterr().err
    assert hook.read_text() == "#!/bin/sh\n"
