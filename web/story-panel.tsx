import type { JSX } from 'preact';
import type { CancelView, Explanation } from '../src/protocol/messages.ts';
import { type Story, viewStory } from '../src/views/story.ts';
import { tellClock, tellMoment } from '../src/views/tell-time.ts';
import { useNow } from './clock.ts';
import { usePage } from './page.ts';
import { Act, Told } from './parts/act.tsx';
import { Mark } from './parts/mark.tsx';
import { useAsked } from './parts/use-asked.ts';
import { go, type Route } from './route.ts';

/** The whole story of one message, with its evidence, told anew whenever it moves. */
export function StoryPanel({ route }: { readonly route: Route }): JSX.Element {
  const { world } = usePage();
  const now = useNow(5);
  const id = route.message ?? '';
  const known = world.messages.get(id);
  const moment = `${known?.cursor} ${known?.state} ${known?.waitsForCode} ${known?.waitsFor}`;
  const { answer, fault } = useAsked<Explanation>(`/api/messages/${id}`, moment);
  const story = answer && viewStory(answer, now, world.user);
  return (
    <aside class="story" aria-label="Message">
      <div class="bar">
        <h2>{story ? story.title : '…'}</h2>
        <span class="space" />
        <button
          type="button"
          class="button"
          aria-label="Close the message"
          onClick={() => go({ ...route, message: undefined })}
        >
          ✕
        </button>
      </div>
      <div class="scroll">
        <Told told={fault} />
        {story && <StoryText story={story} />}
      </div>
    </aside>
  );
}

function StoryText({ story }: { readonly story: Story }): JSX.Element {
  const { mark, state, faring, facts, body, moves, attempts, next, short, id } = story;
  return (
    <>
      <p class="story-state">
        <span class={`tone-${mark.tone}`}>
          <Mark mark={mark} /> {faring === 'stuck' ? `${state}, stuck` : state}
        </span>{' '}
        <span class="faint">
          {short} · {facts.join(' · ')}
        </span>
      </p>
      {next.map((line) => (
        <p key={line} class={faring === 'stuck' || faring === 'lost' ? 'next loud' : 'next'}>
          {line}
        </p>
      ))}
      <StoryControls story={story} />
      <pre class="body">{body}</pre>
      <h3>What happened</h3>
      <ol class="moves">
        {moves.map(({ at, state: to, mark: step, after, cause, evidence }, i) => (
          // A history only grows at its end.
          <li key={i}>
            <time dateTime={at} title={tellMoment(at)}>
              {tellClock(at)}
            </time>
            <span class={`tone-${step.tone}`}>
              <Mark mark={step} /> {to}
            </span>
            <span class="cause">
              {cause} <span class="faint">{after}</span>
              {evidence !== undefined && <span class="evidence">{evidence}</span>}
            </span>
          </li>
        ))}
      </ol>
      {attempts.length > 0 && <h3>Attempts</h3>}
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.number} value={attempt.number}>
            {tellClock(attempt.at)} {attempt.way}: <strong>{attempt.outcome}</strong>
            {attempt.facts.length > 0 && <span class="faint"> {attempt.facts.join('; ')}</span>}
          </li>
        ))}
      </ol>
      <p class="faint">
        <code>signalbox explain {id}</code>
      </p>
    </>
  );
}

function StoryControls({ story }: { readonly story: Story }): JSX.Element | null {
  const { api } = usePage();
  const { id, state, canCancel, canRetry } = story;
  if (!canCancel && !canRetry) return null;
  return (
    <div class="controls">
      {canCancel && (
        <Act
          face={`cancel ${id} ${state}`}
          confirm="Take it back?"
          onAct={async () => {
            const { outcome } = await api.post<CancelView>(`/api/messages/${id}/cancel`);
            return outcome === 'released' ? 'Its answer is owed no longer.' : 'It was taken back.';
          }}
        >
          Take back
        </Act>
      )}
      {canRetry && (
        <Act
          face={`retry ${id} ${state}`}
          onAct={async () => {
            await api.post(`/api/dead-letters/${id}/retry`);
            return 'It is queued again.';
          }}
        >
          Retry
        </Act>
      )}
    </div>
  );
}
