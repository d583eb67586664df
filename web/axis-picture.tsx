import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Axis, type Bar, type Lane, layOutAxis } from '../src/views/axis.ts';
import { isTrouble, type MessageRow } from '../src/views/line.ts';
import { tellClock } from '../src/views/tell-time.ts';
import { paintAxis, pixels, placeOf } from './axis-paint.ts';
import { useNow, wallNow } from './clock.ts';
import { usePage } from './page.ts';

interface AxisPictureProps {
  readonly rows: readonly MessageRow[];
  readonly spanMs: number;
  readonly selected: string | undefined;
  readonly onOpen: (id: string) => void;
}

/**
 * Messages as bars on a time axis, one lane for each agent. The list below it has the same messages
 * for keys and for readers of screens. It stands still while a pointer is on it.
 */
export function AxisPicture({ rows, spanMs, selected, onOpen }: AxisPictureProps): JSX.Element {
  const { world } = usePage();
  const now = useNow(1);
  const [pointed, setPointed] = useState<Bar>();
  const isHeld = useRef(false);
  const held = useRef<Axis | undefined>(undefined);
  const fresh = useMemo(
    () => layOutAxis(world, rows, { now: Math.max(now, wallNow()), spanMs }),
    [world, rows, now, spanMs],
  );
  const axis = isHeld.current && held.current ? held.current : fresh;
  held.current = axis;
  const { canvas, frame, width } = useCanvas();
  const height = heightOf(axis);
  useEffect(() => {
    if (canvas.current) paintAxis(canvas.current, axis, { width, height, selected, pointed });
  }, [canvas, axis, width, height, selected, pointed]);

  const find = (event: PointerEvent | MouseEvent): Bar | undefined => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return undefined;
    return findBar(axis, event.clientX - box.left, event.clientY - box.top, width);
  };
  const trouble = rows.filter(({ faring }) => isTrouble(faring)).length;
  const summary = `${axis.bars.length} messages between ${axis.lanes.length} agents; ${trouble} stuck or lost`;
  const told = pointed && rows.find(({ id }) => id === pointed.id);
  return (
    <figure class="axis">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no wheel scrolls it by keys */}
      <section class="axis-scroll" ref={frame} tabIndex={0} aria-label="Time axis">
        <div class="lanes" aria-hidden="true" style={{ height: `${height}px` }}>
          {axis.lanes.map((lane) => (
            <LaneName key={lane.id} lane={lane} />
          ))}
        </div>
        <canvas
          ref={canvas}
          role="img"
          aria-label={summary}
          onPointerEnter={(event) => {
            isHeld.current = event.pointerType === 'mouse';
          }}
          onPointerMove={(event) => setPointed(find(event))}
          onPointerLeave={() => {
            isHeld.current = false;
            setPointed(undefined);
          }}
          onClick={(event) => {
            const bar = find(event);
            if (bar) onOpen(bar.id);
          }}
        />
      </section>
      <figcaption class="faint">{told ? describe(told) : summary}</figcaption>
    </figure>
  );
}

function describe({ from, to, state, short, first, notes, createdAt }: MessageRow): string {
  const why = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return `${tellClock(createdAt)}  ${from} → ${to}  ${short}  ${state}${why}: ${first}`;
}

function LaneName({ lane }: { readonly lane: Lane }): JSX.Element {
  const { rows, name, hidden } = lane;
  const place = { top: `${pixels.head + placeOf(lane)}px`, height: `${rows * pixels.row}px` };
  return (
    <span class="lane" style={place}>
      {name}
      {hidden > 0 && <span class="tag">+{hidden}</span>}
    </span>
  );
}

function heightOf({ lanes }: Axis): number {
  const last = lanes.at(-1);
  return pixels.head + (last ? placeOf(last) + last.rows * pixels.row : pixels.row) + pixels.foot;
}

function findBar({ lanes, bars }: Axis, x: number, y: number, width: number): Bar | undefined {
  const near = bars.flatMap((bar) => {
    const lane = lanes[bar.recipient];
    if (!lane) return [];
    const middle = pixels.head + placeOf(lane) + (bar.row + 0.5) * pixels.row;
    const isAt = x >= bar.start * width - 4 && x <= bar.end * width + 4;
    return isAt && Math.abs(y - middle) <= pixels.row / 2 ? [bar] : [];
  });
  return near.at(-1);
}

function useCanvas() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): void => {
      const names = element.querySelector('.lanes')?.clientWidth ?? 0;
      setWidth(Math.max(120, element.clientWidth - names - pixels.edge));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, []);
  return { canvas, frame, width };
}
