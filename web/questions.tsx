import type { JSX } from 'preact';
import type { AgentQuestions, DecidedView } from '../src/protocol/questions.ts';
import { reveal } from '../src/shared/reveal.ts';
import { usePage } from './page.ts';
import { Act, Told } from './parts/act.tsx';
import { useAsked } from './parts/use-asked.ts';

interface Asker {
  readonly id: string;
  readonly name: string;
  readonly fullName: string;
}

const purposes = { command: 'run a command', edit: 'change files', tool: 'use a tool' } as const;

/** What one agent asks, whole, and the buttons that answer exactly that. */
export function Questions({ agent }: { readonly agent: Asker }): JSX.Element {
  const { world } = usePage();
  const live = world.agents.get(agent.id);
  const names = (live?.questions ?? []).map(({ id }) => id).join(' ');
  const path = `/api/agents/${agent.id}/questions`;
  const moment = `${live?.status} ${live?.since} ${names}`;
  const { answer, fault } = useAsked<AgentQuestions>(path, moment);
  const questions = answer?.questions ?? [];
  return (
    <section class="questions" aria-label={`What ${agent.name} asks`}>
      {questions.map((question) => (
        <QuestionCard key={question.id} agent={agent} question={question} />
      ))}
      {answer && questions.length === 0 && live?.status !== 'waiting' && (
        <p class="faint">It asks nothing any more.</p>
      )}
      {answer && questions.length === 0 && live?.status === 'waiting' && (
        <div class="question">
          <p>{reveal(answer.question ?? live?.question ?? 'It waits for you.')}</p>
          <p class="faint">
            This can be answered in its terminal alone:{' '}
            <code>signalbox attach {agent.fullName}</code>
          </p>
        </div>
      )}
      <Told told={fault} />
    </section>
  );
}

interface CardProps {
  readonly agent: Asker;
  readonly question: AgentQuestions['questions'][number];
}

function QuestionCard({ agent, question }: CardProps): JSX.Element {
  const { api } = usePage();
  const { id, asks, text, decisions, isSubAgents, isCut } = question;
  const decide = async (decision: 'allow' | 'deny'): Promise<string> => {
    const path = `/api/agents/${agent.id}/questions/${id}`;
    const { outcome, reason } = await api.post<DecidedView>(path, { decision });
    const done = decision === 'allow' ? 'Allowed once.' : 'Denied.';
    return outcome === 'taken' ? done : `Sent; whether it was taken is not known: ${reason ?? ''}`;
  };
  const who = isSubAgents ? `A sub-agent of ${agent.name}` : agent.name;
  // Another text is another question, even under the same name.
  const face = `${id} ${text}`;
  return (
    <article class="question" aria-label={`Question ${id}`}>
      <p class="asks">
        <strong>{who}</strong> asks to {purposes[asks]} <span class="faint">{id}</span>
      </p>
      <pre class="body">{reveal(text)}</pre>
      {isCut && <p class="faint">This is its beginning; answer it in the terminal.</p>}
      <div class="controls">
        {!isCut && decisions.includes('allow') && (
          <Act face={`allow ${face}`} tone="good" onAct={() => decide('allow')}>
            Allow once
          </Act>
        )}
        {decisions.includes('deny') && (
          <Act face={`deny ${face}`} tone="bad" onAct={() => decide('deny')}>
            Deny
          </Act>
        )}
      </div>
    </article>
  );
}
