import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { callName } from '../src/agents/reference.ts';
import { countLine, type LineFilter, type MessageRow, viewLine } from '../src/views/line.ts';
import { AxisPicture } from './axis-picture.tsx';
import { useNow } from './clock.ts';
import { usePage } from './page.ts';
import { Filter } from './parts/filter.tsx';
import { Mark } from './parts/mark.tsx';
import { Since } from './parts/since.tsx';
import { useRowHeight, VirtualList } from './parts/virtual-list.tsx';
import { go, type Route } from './route.ts';

const spans = [
  ['5 min', 300_000],
  ['15 min', 900_000],
  ['1 h', 3_600_000],
] as const;

/** The messages between agents: drawn on a time axis, and as a list. */
export function LineView({ route }: { readonly route: Route }): JSX.Element {
  const { world } = usePage();
  const now = useNow(5);
  const [text, setText] = useState('');
  const [show, setShow] = useState<LineFilter['show']>('all');
  const [spanMs, setSpan] = useState<number>(spans[1][1]);
  const { agent, message } = route;
  const rows = useMemo(
    () => viewLine(world, { text, show, agent }, now),
    [world, text, show, agent, now],
  );
  const counts = useMemo(() => countLine(world, now), [world, now]);
  const rowHeight = useRowHeight(34, 54);
  const about = agent && world.agents.get(agent);
  const open = (id: string): void => go({ ...route, message: id });
  return (
    <main class="view line" aria-label="Line">
      <div class="bar">
        <h1>Line</h1>
        <Choose
          label="Messages"
          value={show}
          options={[
            ['all', `All ${counts.all}`],
            ['open', `Open ${counts.open}`],
            ['stuck', `Stuck ${counts.stuck}`],
          ]}
          onChoose={setShow}
        />
        <Filter value={text} onChange={setText} label="Filter messages" />
        {agent && (
          <button type="button" class="button" onClick={() => go({ view: 'line' })}>
            Only {about ? callName(about) : agent} ✕
          </button>
        )}
        <span class="space" />
        <Choose
          label="Time"
          value={spanMs}
          options={spans.map(([name, ms]) => [ms, name])}
          onChoose={setSpan}
        />
      </div>
      <AxisPicture rows={rows} spanMs={spanMs} selected={message} onOpen={open} />
      <VirtualList
        rows={rows}
        label="Messages"
        rowHeight={rowHeight}
        selected={message}
        onSelect={open}
        onOpen={open}
        classOf={({ faring }) => `message faring-${faring}`}
        render={(row) => <MessageLine row={row} />}
        empty="No message here. What you and your agents send stands here for an hour."
      />
      {world.omitted > 0 && (
        <p class="faint foot">
          {world.omitted} more messages are not shown; <code>signalbox inbox list</code> has them.
        </p>
      )}
    </main>
  );
}

export function MessageLine({ row }: { readonly row: MessageRow }): JSX.Element {
  const { mark, state, short, from, to, kind, first, notes, createdAt, faring } = row;
  return (
    <>
      <span class={`state tone-${mark.tone}`}>
        <Mark mark={mark} /> {state}
      </span>
      <span class="way">
        {from} <span class="faint">→</span> {to}
      </span>
      <span class="text">
        {notes.length > 0 && <span class={`note faring-${faring}`}>{notes.join(' · ')}</span>}
        <span class="first">{first}</span>
      </span>
      <span class="faint kind">{kind}</span>
      <span class="faint short">{short}</span>
      <span class="faint when">
        <Since at={createdAt} />
      </span>
    </>
  );
}

interface ChooseProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

/** One of a few. */
function Choose<Value extends string | number>(props: ChooseProps<Value>): JSX.Element {
  const { label, value, options, onChoose } = props;
  return (
    <fieldset class="choose" aria-label={label}>
      {options.map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChoose(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
