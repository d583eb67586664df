import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { HealthView as HealthDocument } from '../src/protocol/daemon.ts';
import { type HealthRow, viewHealth } from '../src/views/health-page.ts';
import { tellMoment } from '../src/views/tell-time.ts';
import { usePage } from './page.ts';
import { Told } from './parts/act.tsx';
import { Mark } from './parts/mark.tsx';
import { useAsked } from './parts/use-asked.ts';

/** The parts of signalbox, asked when one looks, and again when one wants. */
export function HealthView(): JSX.Element {
  const { world } = usePage();
  const [count, setCount] = useState(0);
  const moment = `${world.daemon.startedAt} ${count}`;
  const { answer, fault, isBusy } = useAsked<HealthDocument>('/api/health', moment);
  const page = answer && viewHealth(answer);
  return (
    <main class="view health" aria-label="Health">
      <div class="bar">
        <h1>Health</h1>
        <span class="faint">
          signalbox {world.daemon.version}, daemon since {tellMoment(world.daemon.startedAt)}
        </span>
        <span class="space" />
        <button type="button" class="button" onClick={() => setCount(count + 1)}>
          {isBusy ? 'Looking…' : 'Look again'}
        </button>
      </div>
      <div class="scroll">
        <Told told={fault} />
        {page && (
          <>
            <p>
              {page.ok ? 'All that is in use can be used.' : 'Something cannot be used.'}{' '}
              {page.running} {page.running === 1 ? 'agent runs' : 'agents run'}
              {page.troubled.length > 0 && `; in trouble: ${page.troubled.join(', ')}`}.
            </p>
            <Table title="Parts" rows={page.parts} />
            <Table title="CLIs" rows={page.providers} />
          </>
        )}
        <p class="faint">
          <code>signalbox doctor</code> looks deeper, and says how to fix what it finds.
        </p>
      </div>
    </main>
  );
}

function Table({ title, rows }: { readonly title: string; readonly rows: readonly HealthRow[] }) {
  return (
    <section class="part" aria-label={title}>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Facts</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, mark, state, facts }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>
                <span class={`tone-${mark.tone}`}>
                  <Mark mark={mark} /> {state}
                </span>
              </td>
              <td class="faint">{facts.join(' · ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
