import type { Axis, Bar, Lane } from '../src/views/axis.ts';
import { tellClock } from '../src/views/tell-time.ts';

/** Of the picture, in pixels of the page. */
export const pixels = { head: 22, row: 11, gap: 9, foot: 8, edge: 12 };

/** The top of a lane, below the head. */
export function placeOf({ top, index }: Lane): number {
  return top * pixels.row + index * pixels.gap;
}

interface Painting {
  readonly width: number;
  readonly height: number;
  readonly selected: string | undefined;
  readonly pointed: Bar | undefined;
}

/** Draws all of it: some thousand bars take a few milliseconds. */
export function paintAxis(canvas: HTMLCanvasElement, axis: Axis, painting: Painting): void {
  const { width, height } = painting;
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.scale(scale, scale);
  const colours = readColours(canvas);
  paintGround(pen, axis, painting, colours);
  for (const bar of axis.bars) paintBar(pen, axis, bar, painting, colours);
}

type Colours = Readonly<Record<'rule' | 'ink' | 'faint' | Bar['faring'], string>>;

function readColours(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    rule: read('rule'),
    ink: read('ink'),
    faint: read('faint'),
    moving: read('work'),
    waiting: read('work'),
    stuck: read('ask'),
    lost: read('bad'),
    unproven: read('faint'),
    done: read('rest'),
  };
}

function paintGround(
  pen: CanvasRenderingContext2D,
  axis: Axis,
  { width, height }: Painting,
  { rule, faint }: Colours,
): void {
  pen.font = '11px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  pen.strokeStyle = rule;
  pen.lineWidth = 1;
  for (const { at, x } of axis.ticks) {
    line(pen, x * width, pixels.head, x * width, height);
    const text = tellClock(new Date(at).toISOString()).slice(0, 5);
    pen.fillStyle = faint;
    pen.textAlign = x > 0.95 ? 'right' : x < 0.05 ? 'left' : 'center';
    pen.fillText(text, x * width, pixels.head / 2);
  }
  for (const lane of axis.lanes) {
    const y = pixels.head + placeOf(lane) + (lane.rows * pixels.row) / 2;
    line(pen, 0, y, width, y);
  }
}

function paintBar(
  pen: CanvasRenderingContext2D,
  axis: Axis,
  bar: Bar,
  { width, selected, pointed }: Painting,
  colours: Colours,
): void {
  const [to, from] = [axis.lanes[bar.recipient], axis.lanes[bar.sender]];
  if (!to || !from) return;
  const isChosen = bar.id === selected || bar.id === pointed?.id;
  const colour = colours[bar.faring];
  const y = pixels.head + placeOf(to) + (bar.row + 0.5) * pixels.row;
  const [x, end] = [bar.start * width, Math.max(bar.end * width, bar.start * width + 4)];
  if (!bar.isOlder && bar.sender !== bar.recipient) {
    const middle = (from.rows * pixels.row) / 2;
    const fromY = pixels.head + placeOf(from) + middle;
    pen.strokeStyle = colour;
    pen.globalAlpha = isChosen ? 1 : 0.45;
    pen.lineWidth = isChosen ? 2 : 1;
    line(pen, x + 0.5, fromY, x + 0.5, y);
    pen.globalAlpha = 1;
  }
  const isLoud = bar.faring === 'stuck' || bar.faring === 'lost';
  const thick = isLoud ? 7 : bar.isOpen ? 5 : 4;
  pen.fillStyle = colour;
  pen.fillRect(x, y - thick / 2, end - x, thick);
  // By shape, too: what is stuck has teeth, what is lost ends in a cross.
  if (bar.faring === 'stuck') paintTeeth(pen, x, end, y, thick);
  if (bar.faring === 'lost') paintCross(pen, end, y, colour);
  if (isChosen) {
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(x - 2, y - thick / 2 - 2, end - x + 4, thick + 4);
  }
}

/** Cut out of the bar, as the stripes of a barrier. */
function paintTeeth(
  pen: CanvasRenderingContext2D,
  from: number,
  until: number,
  y: number,
  thick: number,
): void {
  pen.save();
  pen.beginPath();
  pen.rect(from, y - thick / 2, until - from, thick);
  pen.clip();
  pen.globalCompositeOperation = 'destination-out';
  pen.lineWidth = 2;
  pen.strokeStyle = '#000';
  for (let x = from + 6; x < until + thick; x += 9) line(pen, x, y - thick, x - thick, y + thick);
  pen.restore();
}

function paintCross(pen: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5;
  line(pen, x - 1, y - 5, x + 7, y + 5);
  line(pen, x - 1, y + 5, x + 7, y - 5);
}

function line(pen: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(toX, toY);
  pen.stroke();
}
