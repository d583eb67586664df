import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSteady } from './use-steady.ts';

export interface ListRow {
  readonly id: string;
}

interface VirtualListProps<Row extends ListRow> {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly rowHeight: number;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string) => void;
  readonly render: (row: Row) => ComponentChildren;
  /** With a level for each row it is a tree. */
  readonly levelOf?: (row: Row) => number;
  /** Of rows that nobody selects, such as headings. */
  readonly isHeading?: (row: Row) => boolean;
  readonly classOf?: (row: Row) => string;
  readonly empty: ComponentChildren;
}

/** Rows beyond both edges, so that a quick scroll shows no hole. */
const spare = 8;

/**
 * A list of which only what can be seen is in the document, chosen from by arrow keys. What is
 * selected is an id: it stays the same one wherever it moves.
 */
export function VirtualList<Row extends ListRow>(props: VirtualListProps<Row>): JSX.Element {
  const { rows, label, rowHeight, selected, onSelect, onOpen, levelOf, empty } = props;
  const { shown, pending, hold, letIn } = useSteady(rows);
  const { ref, top, height } = useScroll();
  const isHeading = props.isHeading ?? (() => false);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(shown.length, Math.ceil((top + height) / rowHeight) + spare);
  const rowsNow = shown.map(({ item }) => item);
  const at = rowsNow.findIndex(({ id }) => id === selected);

  const reveal = (index: number): void => {
    const element = ref.current;
    if (!element) return;
    const from = index * rowHeight;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (from + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = from + rowHeight - element.clientHeight;
    }
  };
  const press = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const target = nextIndex(event.key, at, rowsNow, page, isHeading);
    const row = target === undefined ? undefined : rowsNow[target];
    if (row && target !== undefined) {
      onSelect(row.id);
      reveal(target);
    } else if (event.key === 'Enter' && selected !== undefined && at >= 0) onOpen(selected);
    else if (event.key === 'r' && pending > 0) letIn();
    else return;
    event.preventDefault();
  };
  const isShown = at >= first && at < last;
  return (
    <div class="list-frame" {...hold}>
      {pending > 0 && (
        <button type="button" class="let-in" onClick={letIn}>
          {pending} new: show
        </button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a tree or a listbox */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a tree or a listbox */}
      <div
        ref={ref}
        class="list"
        role={levelOf ? 'tree' : 'listbox'}
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={isShown && selected ? `row-${selected}` : undefined}
        onKeyDown={press}
      >
        {shown.length === 0 && <div class="empty">{empty}</div>}
        <div class="rows" role="presentation" style={{ height: `${shown.length * rowHeight}px` }}>
          {shown.slice(first, last).map(({ item, isGone }, i) => (
            // The list itself takes the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus
            // biome-ignore lint/a11y/noStaticElementInteractions: it is a treeitem or an option
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a treeitem or an option
            <div
              key={item.id}
              id={`row-${item.id}`}
              role={levelOf ? 'treeitem' : 'option'}
              aria-level={levelOf?.(item)}
              aria-selected={item.id === selected}
              aria-setsize={levelOf ? undefined : shown.length}
              aria-posinset={levelOf ? undefined : first + i + 1}
              tabIndex={-1}
              class={`row ${props.classOf?.(item) ?? ''} ${isGone ? 'gone' : ''}`}
              style={{
                transform: `translateY(${(first + i) * rowHeight}px)`,
                height: `${rowHeight}px`,
              }}
              onClick={() => {
                if (isHeading(item)) return;
                onSelect(item.id);
                onOpen(item.id);
              }}
            >
              {props.render(item)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Where the arrow keys lead; undefined for any other key. */
function nextIndex<Row>(
  key: string,
  at: number,
  rows: readonly Row[],
  page: number,
  isHeading: (row: Row) => boolean,
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  const step = steps[key];
  if (step === undefined || rows.length === 0) return undefined;
  const from = at < 0 ? (step > 0 ? -1 : 0) : at;
  let to = Math.min(rows.length - 1, Math.max(0, from + step));
  const towards = step > 0 ? 1 : -1;
  const isPassed = (index: number): boolean => {
    const row = rows[index];
    return row !== undefined && isHeading(row);
  };
  while (isPassed(to) && rows[to + towards] !== undefined) to += towards;
  while (isPassed(to) && rows[to + 1] !== undefined) to += 1;
  return to;
}

function useScroll() {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const look = (): void => setPlace({ top: element.scrollTop, height: element.clientHeight });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return { ref, ...place };
}

/** As the style sheet has it: a row of a narrow page has two lines. */
export function useRowHeight(wide: number, narrow: number): number {
  const [isNarrow, setNarrow] = useState(() => query().matches);
  useEffect(() => {
    const media = query();
    const follow = (): void => setNarrow(media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  return isNarrow ? narrow : wide;
}

function query(): MediaQueryList {
  return matchMedia('(max-width: 719px)');
}
