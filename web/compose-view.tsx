import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { SendResult } from '../src/protocol/messages.ts';
import type { TaskView } from '../src/protocol/tasks.ts';
import { type Choice, listChoices } from '../src/views/compose.ts';
import type { Api } from './api.ts';
import { describeFailure } from './fault.ts';
import { type Outcome, Outcomes } from './outcomes.tsx';
import { usePage } from './page.ts';
import { Act } from './parts/act.tsx';
import { Filter } from './parts/filter.tsx';
import { Mark } from './parts/mark.tsx';
import type { Route } from './route.ts';

interface Draft {
  readonly text: string;
  readonly kind: 'message' | 'task';
  readonly urgent: boolean;
  /** The message that it answers. */
  readonly replyTo: string | undefined;
}

/** To send or give a task to one agent or several, and to see it arrive. */
export function ComposeView({ route }: { readonly route: Route }): JSX.Element {
  const { world, api } = usePage();
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(route.agent ? [route.agent] : []),
  );
  const [draft, setDraft] = useState<Draft>({
    ...{ text: '', kind: 'message', urgent: false, replyTo: route.message },
  });
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const choices = useMemo(() => listChoices(world, filter, chosen), [world, filter, chosen]);
  const targets = choices.filter(({ id }) => chosen.has(id));
  const isReady = targets.length > 0 && draft.text.trim() !== '';
  // One draft has one key for each agent: sent once more after a lost answer, it is the same one.
  const key = useMemo(() => crypto.randomUUID(), [outcomes]);
  const change = (more: Partial<Draft>): void => setDraft({ ...draft, ...more });
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const send = async (): Promise<string | undefined> => {
    const sent = await Promise.all(targets.map((target) => sendOne(api, draft, target, key)));
    const failed = sent.filter(({ fault }) => fault);
    setOutcomes([...sent, ...outcomes].slice(0, 20));
    if (failed.length === 0) setDraft({ ...draft, text: '', replyTo: undefined });
    return failed.length > 0 ? `${failed.length} of ${sent.length} failed.` : undefined;
  };
  return (
    <main class="view compose" aria-label="Compose">
      <div class="bar">
        <h1>Compose</h1>
      </div>
      <div class="scroll compose-columns">
        <fieldset class="part recipients">
          <legend>To</legend>
          <Filter value={filter} onChange={setFilter} label="Filter agents" />
          <div class="choices">
            {choices.slice(0, 300).map((choice) => (
              <ChoiceRow
                key={choice.id}
                choice={choice}
                isChosen={chosen.has(choice.id)}
                onToggle={() => toggle(choice.id)}
              />
            ))}
            {choices.length === 0 && <p class="faint">No agent matches.</p>}
          </div>
        </fieldset>
        <section class="part" aria-label="Text">
          <Fields draft={draft} onChange={change} />
          <div class="controls">
            <Act
              face={`send ${draft.kind} ${targets.map(({ id }) => id).join(' ')}`}
              tone="good"
              isOff={!isReady}
              onAct={send}
            >
              {draft.kind === 'task' ? 'Give the task' : 'Send'}
              {targets.length > 1 && ` to ${targets.length}`}
            </Act>
          </div>
          {targets.flatMap(({ id, name, warning }) =>
            warning === undefined ? [] : [<Warning key={id} text={`${name}: ${warning}`} />],
          )}
          <Outcomes outcomes={outcomes} route={route} />
        </section>
      </div>
    </main>
  );
}

function Warning({ text }: { readonly text: string }): JSX.Element {
  return <p class="warning">{text}</p>;
}

async function sendOne(api: Api, draft: Draft, target: Choice, key: string): Promise<Outcome> {
  const { id: agent, name } = target;
  const { text, urgent, kind, replyTo } = draft;
  const one = { agent, name, key: `page-${key}-${agent}` };
  try {
    if (kind === 'task') {
      const wish = { to: agent, task: text, key: one.key, cwd: '/', env: {} };
      const { task } = await api.post<TaskView>('/api/tasks', wish);
      return { ...one, message: task };
    }
    const wish = { to: agent, body: text, key: one.key, urgent, ...(replyTo ? { replyTo } : {}) };
    const { id, unwoken } = await api.post<SendResult>('/api/messages', wish);
    return { ...one, message: id, ...(unwoken ? { note: unwoken } : {}) };
  } catch (error) {
    return { ...one, fault: describeFailure(error) };
  }
}

interface ChoiceRowProps {
  readonly choice: Choice;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function ChoiceRow({ choice, isChosen, onToggle }: ChoiceRowProps): JSX.Element {
  const { mark, name, status } = choice;
  return (
    <label class="choice">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <Mark mark={mark} />
      <span class="name">{name}</span>
      <span class="faint">{status}</span>
    </label>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (more: Partial<Draft>) => void;
}

function Fields({ draft, onChange }: FieldsProps): JSX.Element {
  const { text, kind, urgent, replyTo } = draft;
  return (
    <>
      <div class="options">
        <label>
          <input
            type="radio"
            name="kind"
            checked={kind === 'message'}
            onChange={() => onChange({ kind: 'message' })}
          />{' '}
          Message
        </label>
        <label>
          <input
            type="radio"
            name="kind"
            checked={kind === 'task'}
            onChange={() => onChange({ kind: 'task', urgent: false })}
          />{' '}
          Task, which is owed an answer
        </label>
        <label class={kind === 'task' ? 'off' : ''}>
          <input
            type="checkbox"
            checked={urgent}
            disabled={kind === 'task'}
            onChange={() => onChange({ urgent: !urgent })}
          />{' '}
          Urgent: it may join a turn that runs
        </label>
      </div>
      {replyTo && (
        <p class="faint">
          It answers <code>{replyTo}</code>.{' '}
          <button type="button" class="button" onClick={() => onChange({ replyTo: undefined })}>
            It does not
          </button>
        </p>
      )}
      <textarea
        class="body-input"
        aria-label="Text"
        rows={8}
        value={text}
        placeholder="What you write goes in as your own words."
        onInput={(event) => onChange({ text: event.currentTarget.value })}
      />
    </>
  );
}
