"""Typst beside Moldloft: processor time of a further page of a ship's sheet. Needs `pip install typst`.

    python3 benches/typst.py target/release/moldloft

Typst's 21 pages have what a control sheet has: as many words, boxes, three tables, a ladder, a log, each page with other numbers.
"""

import os
import resource
import subprocess
import sys
import tempfile

FONTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fonts")
COMPILE = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2], font_paths=[sys.argv[3]], ignore_system_fonts=True)"


def page(n):
    words = ("Orders", "Ships", "Missiles", "Combat", "End")
    rules = "".join(f"*{word}* from 6 MU off the ship the side moves 10, 20, 30 and strikes within 6; launcher {n}. " for word in words)
    letter = ["", "", "#text(6pt)[M]"]
    boxes = "".join(f"#box(width: 3mm, height: 3mm, stroke: 0.3pt)[{letter[k % 3]}] " for k in range(60 + 7 * n % 90))
    cells = "".join(f"[{(row * column + n) % 97}]," for row in range(12) for column in range(6))
    table = f"#table(columns: 6, stroke: none, inset: 1pt, {cells})"
    loads = "".join(f"[{100 + k} #box(width: 2mm, height: 2mm, stroke: 0.2pt)]," for k in range(40))
    log = "".join(f"[{turn}], [], [], [], []," for turn in range(1, 9))
    return f"""= Ship {n}
#text(7pt)[{rules}]

{boxes}
#text(7pt)[#columns(3)[{table} #colbreak() {table} #colbreak() #grid(columns: 5, gutter: 1pt, {loads})]]
{" ".join(str(k) for k in range(16, -1, -1))}
#table(columns: (8mm, 1fr, 1fr, 1fr, 1fr), stroke: 0.3pt, inset: 2pt, {log})
#text(6pt)[{rules}]
"""


def seconds(*command):
    """Processor time of a command, user and system."""
    def used():
        all_children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return all_children.ru_utime + all_children.ru_stime

    before = used()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return used() - before


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        head = '#set page(paper: "a4", margin: 10mm)\n#set text(font: "IBM Plex Sans Condensed", size: 8pt)\n'
        for name, pages in (("one.typ", 1), ("all.typ", 21)):
            with open(name, "w") as file:
                file.write(head + "#pagebreak()\n".join(page(n) for n in range(pages)))
        typst = lambda name: seconds(sys.executable, "-c", COMPILE, name, "out.pdf", FONTS)
        moldloft = lambda what: seconds(program, "print", f"designs/wars-of-honor{what}", "-o", "out.pdf")
        runs = [(typst("one.typ"), typst("all.typ"), moldloft("/vigilant.toml"), moldloft("")) for _ in range(15)]
        # Whatever else the machine does only adds to the least of many runs.
        least = [min(times) for times in zip(*runs)]
        further = [(least[many] - least[one]) / 20 * 1000 for one, many in ((0, 1), (2, 3))]
        print(f"a further page, ms of processor: typst {further[0]:.2f}, moldloft {further[1]:.2f}: {further[0] / further[1]:.1f} times")


main()
