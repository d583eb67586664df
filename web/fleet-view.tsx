import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { type AgentRow, type FleetRow, viewFleet } from '../src/views/fleet.ts';
import { LaunchForm } from './launch-form.tsx';
import { usePage } from './page.ts';
import { Filter } from './parts/filter.tsx';
import { Mark } from './parts/mark.tsx';
import { Since } from './parts/since.tsx';
import { useRowHeight, VirtualList } from './parts/virtual-list.tsx';
import { go } from './route.ts';

/** The agents by session, children below their parents. */
export function FleetView(): JSX.Element {
  const { world } = usePage();
  const [filter, setFilter] = useState('');
  const [selected, setSelected] = useState<string>();
  const [isLaunching, setLaunching] = useState(false);
  const rows = useMemo(() => viewFleet(world, filter), [world, filter]);
  const rowHeight = useRowHeight(34, 54);
  return (
    <main class="view fleet" aria-label="Fleet">
      <div class="bar">
        <h1>Fleet</h1>
        <Filter value={filter} onChange={setFilter} label="Filter agents" />
        <span class="space" />
        <button
          type="button"
          class="button"
          aria-expanded={isLaunching}
          onClick={() => setLaunching(!isLaunching)}
        >
          Launch an agent
        </button>
      </div>
      {isLaunching && <LaunchForm onDone={() => setLaunching(false)} />}
      <VirtualList
        rows={rows}
        label="Agents"
        rowHeight={rowHeight}
        selected={selected}
        onSelect={setSelected}
        onOpen={(id) => go({ view: 'agent', agent: id })}
        levelOf={(row) => (row.kind === 'session' ? 1 : row.level + 1)}
        isHeading={(row) => row.kind === 'session'}
        classOf={classOf}
        render={(row) => (row.kind === 'session' ? <Heading row={row} /> : <Agent row={row} />)}
        empty={filter === '' ? <NoAgents /> : `No agent matches “${filter}”.`}
      />
    </main>
  );
}

function classOf(row: FleetRow): string {
  if (row.kind === 'session') return 'heading';
  return `agent ${row.needsPerson ? 'needs' : ''} ${row.isContext ? 'context' : ''}`;
}

function NoAgents(): JSX.Element {
  return (
    <p>
      There are no agents. Launch one here, or with <code>signalbox launch claude</code>.
    </p>
  );
}

function Heading({ row }: { readonly row: Extract<FleetRow, { kind: 'session' }> }): JSX.Element {
  return (
    <>
      <span class="session">{row.name}</span>
      <span class="faint">
        {row.agents} {row.agents === 1 ? 'agent' : 'agents'}
      </span>
      {row.needing > 0 && <span class="tag ask">{row.needing} need you</span>}
    </>
  );
}

function Agent({ row }: { readonly row: AgentRow }): JSX.Element {
  const { mark, name, status, detail, since, source, remarks, provider, asks } = row;
  return (
    <>
      <span class="who">
        <Rails row={row} />
        <Mark mark={mark} />
        <span class="name">{name}</span>
      </span>
      <span class={`status tone-${mark.tone}`}>
        {status}
        {detail !== undefined && <span class="detail">: {detail}</span>}
      </span>
      <span class="faint when" title={`told by: ${source}`}>
        <Since at={since} /> <span class="source">{source}</span>
      </span>
      <span class="remarks">
        {asks !== undefined && <span class="asks">{asks}</span>}
        {remarks.map(({ text, tone }) => (
          <span key={text} class={`tag ${tone}`}>
            {text}
          </span>
        ))}
      </span>
      <span class="faint provider">{provider}</span>
    </>
  );
}

/** The lines that join a child to its parent. */
function Rails({ row }: { readonly row: AgentRow }): JSX.Element | null {
  if (row.level === 1) return null;
  const deep = row.rails.slice(1);
  return (
    <span class="rails" aria-hidden="true">
      {deep.map((goesOn, i) => (
        // A place in a row of lines has no other name.
        <span key={i} class={goesOn ? 'rail on' : 'rail'} />
      ))}
      <span class={row.isLast ? 'rail end' : 'rail on branch'} />
    </span>
  );
}
