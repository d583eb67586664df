import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { InterruptView } from '../src/protocol/interrupt.ts';
import type { OutputView } from '../src/protocol/terminals.ts';
import { reveal } from '../src/shared/reveal.ts';
import { type AgentPage, viewAgentPage } from '../src/views/agent-page.ts';
import { useNow } from './clock.ts';
import { MessageLine } from './line-view.tsx';
import { usePage } from './page.ts';
import { Act, Told } from './parts/act.tsx';
import { Mark } from './parts/mark.tsx';
import { Since } from './parts/since.tsx';
import { useAsked } from './parts/use-asked.ts';
import { Questions } from './questions.tsx';
import { go, type Route, writeRoute } from './route.ts';
import { TerminalPanel } from './terminal-panel.tsx';

/** One agent: what it does, its terminal, its inbox, and what one can do with it. */
export function AgentView({ route }: { readonly route: Route }): JSX.Element {
  const { world } = usePage();
  const now = useNow(5);
  const id = route.agent ?? '';
  const agent = useMemo(() => viewAgentPage(world, id, now), [world, id, now]);
  if (!agent) {
    return (
      <main class="view agent-page" aria-label="Agent">
        <div class="bar">
          <Back />
          <h1>This agent was removed.</h1>
        </div>
      </main>
    );
  }
  return (
    <main class="view agent-page" aria-label={`Agent ${agent.name}`}>
      <Head agent={agent} />
      <div class="scroll">
        {agent.status === 'waiting' && <Questions agent={agent} />}
        {agent.troubles.length > 0 && (
          <ul class="troubles">
            {agent.troubles.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {agent.has.terminal && <TerminalPanel key={id} agent={agent} />}
        <div class="columns">
          <Inbox agent={agent} route={route} />
          <LastAnswer agent={agent} />
          <Debts agent={agent} route={route} />
          <Facts agent={agent} />
        </div>
      </div>
    </main>
  );
}

function Back(): JSX.Element {
  return (
    <a class="button" href={writeRoute({ view: 'fleet' })} aria-label="Back to the fleet">
      ←
    </a>
  );
}

function Head({ agent }: { readonly agent: AgentPage }): JSX.Element {
  const { id, name, fullName, mark, status, detail, since, source, remarks } = agent;
  return (
    <div class="bar agent-head">
      <Back />
      <h1>
        <Mark mark={mark} /> {name}
      </h1>
      <span class={`status tone-${mark.tone}`}>
        {status}
        {detail !== undefined && `: ${detail}`}
      </span>
      <span class="faint">
        <Since at={since} />, told by {source}
      </span>
      {remarks.map(({ text, tone }) => (
        <span key={text} class={`tag ${tone}`}>
          {text}
        </span>
      ))}
      <span class="space" />
      <Family agent={agent} />
      <a class="button" href={writeRoute({ view: 'compose', agent: id })}>
        Write
      </a>
      <a class="button" href={writeRoute({ view: 'line', agent: id })}>
        Its messages
      </a>
      {agent.has.process && <LifeControls agent={agent} fullName={fullName} />}
    </div>
  );
}

function Family({ agent: { parent, children } }: { readonly agent: AgentPage }): JSX.Element {
  const link = (one: { readonly id: string; readonly name: string }): JSX.Element => (
    <a key={one.id} href={writeRoute({ view: 'agent', agent: one.id })}>
      {one.name}
    </a>
  );
  return (
    <span class="family faint">
      {parent && <span>child of {link(parent)}</span>}
      {children.length > 0 && <span>parent of {children.slice(0, 5).map(link)}</span>}
      {children.length > 5 && <span>and {children.length - 5} more</span>}
    </span>
  );
}

function LifeControls(props: {
  readonly agent: AgentPage;
  readonly fullName: string;
}): JSX.Element {
  const { api } = usePage();
  const { agent, fullName } = props;
  const path = `/api/agents/${agent.id}`;
  const face = `${agent.id} ${agent.status}`;
  return (
    <span class="controls">
      {agent.canInterrupt && (
        <Act
          face={`interrupt ${face}`}
          confirm={`End its turn?`}
          onAct={async () => {
            const { by, status } = await api.post<InterruptView>(`${path}/interrupt`, {});
            return `Its turn has ended (${by === 'api' ? 'by its API' : 'by Esc'}): ${status}.`;
          }}
        >
          Interrupt
        </Act>
      )}
      {agent.status === 'exited' ? (
        <Act
          face={`restart ${face}`}
          onAct={async () => {
            await api.post(`${path}/restart`, { fresh: false, env: {} });
            return 'It was started.';
          }}
        >
          Restart
        </Act>
      ) : (
        <Act
          face={`stop ${face}`}
          confirm={`Stop ${fullName}?`}
          onAct={async () => {
            await api.post(`${path}/stop`);
            return 'It was stopped; its inbox stays.';
          }}
        >
          Stop
        </Act>
      )}
      {agent.status === 'exited' && (
        <Act
          face={`remove ${face}`}
          confirm={`Remove ${fullName} and settle its inbox?`}
          tone="bad"
          onAct={async () => {
            await api.delete(path);
            go({ view: 'fleet' });
            return undefined;
          }}
        >
          Remove
        </Act>
      )}
    </span>
  );
}

interface PartProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function Part({ title, children }: PartProps): JSX.Element {
  return (
    <section class="part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Inbox({
  agent,
  route,
}: {
  readonly agent: AgentPage;
  readonly route: Route;
}): JSX.Element {
  return (
    <Part title="Inbox">
      {agent.inbox.length === 0 && <p class="faint">Nothing waits.</p>}
      {agent.inbox.slice(0, 50).map((row) => (
        <a
          key={row.id}
          class={`row message faring-${row.faring}`}
          href={writeRoute({ ...route, message: row.id })}
        >
          <MessageLine row={row} />
        </a>
      ))}
      {agent.inbox.length > 50 && <p class="faint">and {agent.inbox.length - 50} more</p>}
    </Part>
  );
}

function LastAnswer({ agent }: { readonly agent: AgentPage }): JSX.Element | null {
  const rests = agent.status !== 'processing' && agent.status !== 'starting';
  const path = agent.has.process ? `/api/agents/${agent.id}/output?mode=last` : undefined;
  const asked = useAsked<OutputView>(rests ? path : undefined, `${agent.status} ${agent.since}`);
  if (!agent.has.process) return null;
  const { answer, fault, isBusy } = asked;
  return (
    <Part title="Last answer">
      {!rests && <p class="faint">It works; its answer stands here when the turn has ended.</p>}
      {rests && isBusy && !answer && <p class="faint">…</p>}
      {answer && answer.text !== '' && <pre class="body">{reveal(answer.text)}</pre>}
      {answer && answer.text === '' && <p class="faint">It has not answered yet.</p>}
      {answer?.response === 'partial' && <p class="faint">Its start is lost.</p>}
      {answer?.earlier && <p class="faint">This is the answer of an earlier turn.</p>}
      <Told told={fault} />
    </Part>
  );
}

function Debts({ agent, route }: { readonly agent: AgentPage; readonly route: Route }) {
  if (agent.owes.length === 0) return null;
  return (
    <Part title="Owes an answer">
      <ul class="plain">
        {agent.owes.map(({ task, to, since, wasReminded }) => (
          <li key={task}>
            <a href={writeRoute({ ...route, message: task })}>a task of {to.name}</a>{' '}
            <span class="faint">
              <Since at={since} />
              {wasReminded && ', reminded'}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Facts({ agent }: { readonly agent: AgentPage }): JSX.Element {
  return (
    <Part title="Details">
      <dl class="facts">
        {agent.facts.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>go there</dt>
          <dd>
            <code>signalbox attach {agent.fullName}</code>
          </dd>
        </div>
      </dl>
    </Part>
  );
}
