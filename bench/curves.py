"""Work-precision curves as SVG: the time that an error costs, both logarithmic, better to the lower right."""

import math

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 72, 168, 48, 56
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #333 }
  .title { font-size: 15px; font-weight: 600 }
  .tick { font-size: 12px; fill: #666 }
  .grid { stroke: #e6e6e6; stroke-width: 1 }
  .frame { stroke: #999; stroke-width: 1; fill: none }
  .curve { fill: none; stroke-width: 1.6; stroke-linejoin: round }
  .first { stroke-width: 3 }
"""


def front(points):
    """Of (error, time) pairs, those that nobody beats in both; from coarse to fine."""
    kept, cheapest = [], math.inf
    for error, seconds in sorted(points):
        if seconds < cheapest:
            kept.append((error, seconds))
            cheapest = seconds
    return kept[::-1]


def decades(values, least=2):
    """Exponents of ten that enclose the values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + least)


def power(k):
    """10 to the k, with a raised exponent."""
    return "10" + str(k).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def duration(k):
    """10 to the k milliseconds."""
    return f"{10.0**k:g} ms" if k < 3 else f"{10.0**(k - 3):g} s"


def spread(labels, distance=16):
    """Moves labels (y, text, colour) apart, keeping their order."""
    placed = []
    for y, text, colour in sorted(labels):
        placed.append((max(y, placed[-1][0] + distance) if placed else y, text, colour))
    too_low = max(0, placed[-1][0] - (HEIGHT - BOTTOM)) if placed else 0
    return [(y - too_low, text, colour) for y, text, colour in placed]


def draw(title, curves):
    """The SVG text of curves {name: (colour, [(error, seconds)])}; the first one stands out."""
    points = [point for _, found in curves.values() for point in found]
    fine, coarse = decades([max(error, 1e-16) for error, _ in points])
    quick, slow = decades([1e3 * seconds for _, seconds in points])

    def x(error):  # small errors to the right
        return LEFT + (coarse - math.log10(max(error, 1e-16))) / (coarse - fine) * (WIDTH - LEFT - RIGHT)

    def y(seconds):
        return TOP + (slow - math.log10(1e3 * seconds)) / (slow - quick) * (HEIGHT - TOP - BOTTOM)

    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
           f"<style>{STYLE}</style>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text class="title" x="{LEFT}" y="28">{title}</text>']
    for k in range(fine, coarse + 1):
        at = x(10.0**k)
        out.append(f'<line class="grid" x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{bottom}"/>')
        if (coarse - fine) <= 9 or k % 2 == 0:
            out.append(f'<text class="tick" x="{at:.1f}" y="{bottom + 20}" text-anchor="middle">{power(k)}</text>')
    for k in range(quick, slow + 1):
        at = y(10.0 ** (k - 3))
        out.append(f'<line class="grid" x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}"/>')
        out.append(f'<text class="tick" x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{duration(k)}</text>')
    out.append(f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}"/>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 14}" text-anchor="middle">error</text>')
    labels = []
    for number, (name, (colour, found)) in reversed(list(enumerate(curves.items()))):  # the first one on top
        weight = " first" if number == 0 else ""
        path = " ".join(f"{x(error):.1f},{y(seconds):.1f}" for error, seconds in found)
        out.append(f'<polyline class="curve{weight}" stroke="{colour}" points="{path}"/>')
        out.extend(f'<circle cx="{x(error):.1f}" cy="{y(seconds):.1f}" r="{3.2 if weight else 2.4}" fill="{colour}"/>'
                   for error, seconds in found)
        labels.append((y(found[-1][1]), name, colour))
    for at, name, colour in spread(labels):
        out.append(f'<text x="{right + 12}" y="{at + 4:.1f}" style="fill: {colour}; font-weight: 600">{name}</text>')
    return "\n".join(out + ["</svg>", ""])
