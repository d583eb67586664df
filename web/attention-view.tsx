import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { MessageView } from '../src/protocol/messages.ts';
import { reveal } from '../src/shared/reveal.ts';
import { type Failing, viewAttention } from '../src/views/attention-page.ts';
import type { MessageRow } from '../src/views/line.ts';
import { useNow } from './clock.ts';
import { MessageLine } from './line-view.tsx';
import { usePage } from './page.ts';
import { Act, Told } from './parts/act.tsx';
import { Since } from './parts/since.tsx';
import { useAsked } from './parts/use-asked.ts';
import { useSteady } from './parts/use-steady.ts';
import { Questions } from './questions.tsx';
import { type Route, writeRoute } from './route.ts';

interface Entry {
  readonly id: string;
  readonly draw: () => ComponentChildren;
}

/** What needs a person, each with what helps. */
export function AttentionView({ route }: { readonly route: Route }): JSX.Element {
  const { world } = usePage();
  const now = useNow(5);
  const page = useMemo(() => viewAttention(world, now), [world, now]);
  const entries: Entry[] = [
    ...section('asking', 'Waiting for your answer', page.asking, (asking) => {
      const full = fullNameOf(world.agents.get(asking.id), asking.name);
      return (
        <Card id={asking.id} name={asking.name} since={asking.since}>
          <Questions agent={{ id: asking.id, name: asking.name, fullName: full }} />
        </Card>
      );
    }),
    ...section('failing', 'Failed, or cannot be woken', page.failing, drawFailing),
    ...section('unread', 'Written to you', page.unread, (row) => <Unread row={row} />),
    ...section('dead', 'Not delivered', page.dead, (row) => <Dead row={row} route={route} />),
    ...section('uncertain', 'Of unknown fate', page.uncertain, (row) => (
      <Uncertain row={row} route={route} />
    )),
    ...section('held', 'Held back by a budget', page.held, drawFailing),
    ...section('untried', 'Versions that nobody has tried', page.untried, drawFailing),
  ];
  const { shown, pending, hold, letIn } = useSteady(entries);
  return (
    <main class="view attention" aria-label="Attention">
      <div class="bar">
        <h1>Attention</h1>
        <span class="space" />
        <NotifyButton />
      </div>
      {pending > 0 && (
        <button type="button" class="let-in" onClick={letIn}>
          {pending} new: show
        </button>
      )}
      <div class="scroll" {...hold}>
        {shown.length === 0 && <p class="empty">Nothing needs you.</p>}
        {shown.map(({ item, isGone }) => (
          <div key={item.id} class={isGone ? 'gone' : ''}>
            {item.draw()}
          </div>
        ))}
      </div>
    </main>
  );
}

function section<Item extends { readonly id: string }>(
  name: string,
  title: string,
  items: readonly Item[],
  draw: (item: Item) => ComponentChildren,
): readonly Entry[] {
  if (items.length === 0) return [];
  const head = { id: `section:${name}`, draw: () => <h2 class="section">{title}</h2> };
  return [head, ...items.map((item) => ({ id: `${name}:${item.id}`, draw: () => draw(item) }))];
}

function fullNameOf(agent: { session: string; name: string } | undefined, name: string): string {
  return agent ? `${agent.session}/${agent.name}` : name;
}

interface CardProps {
  readonly id: string;
  readonly name: string;
  readonly since: string;
  readonly children: ComponentChildren;
}

function Card({ id, name, since, children }: CardProps): JSX.Element {
  return (
    <article class="card" aria-label={name}>
      <header>
        <a class="name" href={writeRoute({ view: 'agent', agent: id })}>
          {name}
        </a>
        <span class="faint">
          <Since at={since} />
        </span>
      </header>
      {children}
    </article>
  );
}

function drawFailing({ id, name, since, text, next }: Failing): JSX.Element {
  return (
    <Card id={id} name={name} since={since}>
      <p>{text}</p>
      {next !== undefined && <p class="faint">{next}</p>}
    </Card>
  );
}

interface RowProps {
  readonly row: MessageRow;
  readonly route: Route;
}

/** The whole text of what was written to the person, and the word that it was read. */
function Unread({ row }: { readonly row: MessageRow }): JSX.Element {
  const { api } = usePage();
  const path = `/api/messages/${row.id}`;
  const { answer, fault } = useAsked<{ readonly message: MessageView }>(path, row.state);
  return (
    <article class="card" aria-label={`Message ${row.short}`}>
      <header>
        <a class="name" href={writeRoute({ view: 'agent', agent: row.fromId })}>
          {row.from}
        </a>
        <span class="faint">
          {row.short} <Since at={row.createdAt} />
        </span>
      </header>
      <pre class="body">{answer ? reveal(answer.message.body) : row.first}</pre>
      <Told told={fault} />
      <div class="controls">
        <Act
          face={`read ${row.id}`}
          isOff={!answer}
          onAct={async () => {
            await api.post('/api/messages/ack', { ids: [row.id] });
            return 'Marked as read.';
          }}
        >
          I have read it
        </Act>
        <a
          class="button"
          href={writeRoute({ view: 'compose', agent: row.fromId, message: row.id })}
        >
          Reply
        </a>
      </div>
    </article>
  );
}

function Dead({ row, route }: RowProps): JSX.Element {
  const { api } = usePage();
  const path = `/api/dead-letters/${row.id}`;
  const face = `${row.id} ${row.state}`;
  return (
    <article class="card" aria-label={`Message ${row.short}`}>
      <MessageLink row={row} route={route} />
      <div class="controls">
        <Act
          face={`retry ${face}`}
          onAct={async () => {
            await api.post(`${path}/retry`);
            return 'It is queued again.';
          }}
        >
          Retry
        </Act>
        <Act
          face={`discard ${face}`}
          onAct={async () => {
            await api.post(`${path}/discard`);
            return 'Discarded.';
          }}
        >
          Discard
        </Act>
      </div>
    </article>
  );
}

function Uncertain({ row, route }: RowProps): JSX.Element {
  return (
    <article class="card" aria-label={`Message ${row.short}`}>
      <MessageLink row={row} route={route} />
      <p class="faint">
        Nobody knows whether it was read. signalbox looks for proof, and offers it once more where
        it finds none.
      </p>
    </article>
  );
}

function MessageLink({ row, route }: RowProps): JSX.Element {
  return (
    <a
      class={`row message faring-${row.faring}`}
      href={writeRoute({ ...route, view: 'attention', message: row.id })}
    >
      <MessageLine row={row} />
    </a>
  );
}

/** Asked for once, by the person. */
function NotifyButton(): JSX.Element | null {
  if (typeof Notification === 'undefined' || Notification.permission !== 'default') return null;
  return (
    <button type="button" class="button" onClick={() => void Notification.requestPermission()}>
      Notify me in this browser
    </button>
  );
}
