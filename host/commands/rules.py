"""``plusthree rules FILE...``: play case files through the code that runs on the board."""

import json

from host import rules

EPILOG = "Exit 0 when all cases hold, 1 when one does not, 2 for a file that is not a case file."


def arguments(parser):
    """Add the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a JSON case file (CASES.md)")
    parser.add_argument("--json", action="store_true", help="print one array instead of lines")
    parser.epilog = EPILOG


def run(args):
    """Run every case of every file, print a line each or one array, and return the exit code."""
    cases = [case for path in args.files for case in rules.load(path)]
    answers = [(case["name"], *rules.run(case)) for case in cases]
    failed = sum(not ok for _, ok, _, _ in answers)
    if args.json:
        objects = [{"name": name, "ok": ok, "got": got} for name, ok, got, _ in answers]
        print(json.dumps(objects, ensure_ascii=False, indent=1))
    else:
        for name, ok, _, differences in answers:
            print(f"ok    {name}" if ok else f"FAIL  {name}: {'; '.join(differences)}")
        print(f"{len(answers) - failed} of {len(answers)} cases hold.")
    return 1 if failed else 0
