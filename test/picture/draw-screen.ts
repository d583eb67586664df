import { cellWidth } from '../../src/shared/cell-width.ts';
import { readSgr } from '../support/sgr.ts';

/** What the picture is called, above the screen and for people who hear it read. */
export interface Caption {
  readonly title: string;
  /** What everybody must know who sees it, at the right end of that line. */
  readonly note: string;
  readonly description: string;
}

/** Pixels: of one cell, of the bar above, and around the text. */
const cell = { width: 8.4, height: 19 } as const;
const barHeight = 36;
const margin = 20;

/**
 * A screen, as `tmux capture-pane -e` prints it, as an SVG of plain text elements. Each stretch of
 * text stands at its own column and is as wide as its cells, so the columns line up in every font;
 * no font is fetched. Colours follow the reader's scheme, light or dark.
 */
export function drawScreen(captured: string, columns: number, caption: Caption): string {
  const rows = splitRows(captured);
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = Math.ceil(barHeight + rows.length * cell.height + 1.5 * margin);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${toXml(caption.title)}</title>`,
    `<desc id="description">${toXml(caption.description)}</desc>`,
    `<style>${style}</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `<text class="dim" x="${margin}" y="24">${toXml(caption.title)}</text>`,
    `<text class="dim" x="${width - margin}" y="24" text-anchor="end">${toXml(caption.note)}</text>`,
    ...rows.flatMap(drawRow),
    '</svg>',
    '',
  ].join('\n');
}

interface Stretch {
  readonly text: string;
  readonly kind: string;
}

/** tmux carries colours over the ends of lines, so all of it is read as one text. */
function splitRows(captured: string): readonly (readonly Stretch[])[] {
  const rows: Stretch[][] = [[]];
  for (const { text, colour, isBold, isDim } of readSgr(captured.trimEnd())) {
    const kinds = [isBold ? 'bold' : '', isDim ? 'dim' : '', colours[colour ?? ''] ?? ''];
    const kind = kinds.filter(Boolean).join(' ');
    text.split('\n').forEach((part, i) => {
      if (i > 0) rows.push([]);
      if (part !== '') rows.at(-1)?.push({ text: part, kind });
    });
  }
  return rows;
}

function drawRow(stretches: readonly Stretch[], row: number): readonly string[] {
  const y = barHeight + (row + 1) * cell.height;
  let column = 0;
  return stretches.flatMap(({ text, kind }) => {
    const from = column;
    column += cellWidth(text);
    const body = text.trim();
    if (body === '') return [];
    const x = margin + (from + cellWidth(text) - cellWidth(text.trimStart())) * cell.width;
    const length = cellWidth(body) * cell.width;
    const names = kind === '' ? '' : ` class="${kind}"`;
    return [
      `<text${names} x="${round(x)}" y="${y}" textLength="${round(length)}" xml:space="preserve">${toXml(body)}</text>`,
    ];
  });
}

/** By the number in the palette. */
const colours: Readonly<Record<string, string>> = {
  1: 'red',
  2: 'green',
  3: 'yellow',
  4: 'blue',
};

const style = `
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
.ground { fill: #ffffff; stroke: #d1d9e0; }
.bold { font-weight: bold; }
.dim { fill: #59636e; } .red { fill: #cf222e; } .green { fill: #116329; } .yellow { fill: #7d4e00; } .blue { fill: #0550ae; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.ground { fill: #0d1117; stroke: #3d444d; }
.dim { fill: #9198a1; } .red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .blue { fill: #79c0ff; }
}
`;

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
