import type { JSX } from 'preact';
import { judgeMessage } from '../src/views/judge-message.ts';
import { stateMark } from '../src/views/marks.ts';
import { useNow } from './clock.ts';
import type { Words } from './fault.ts';
import { usePage } from './page.ts';
import { Told } from './parts/act.tsx';
import { Mark } from './parts/mark.tsx';
import { type Route, writeRoute } from './route.ts';

/** What came of one send. */
export interface Outcome {
  readonly agent: string;
  readonly name: string;
  readonly key: string;
  readonly message?: string;
  readonly note?: string;
  readonly fault?: Words;
}

interface OutcomesProps {
  readonly outcomes: readonly Outcome[];
  readonly route: Route;
}

/** Each message that was sent here, as far as it has come: one sees it being read. */
export function Outcomes({ outcomes, route }: OutcomesProps): JSX.Element | null {
  if (outcomes.length === 0) return null;
  return (
    <section aria-label="Sent from here">
      <h2>Sent from here</h2>
      <ul class="plain outcomes">
        {outcomes.map((outcome) => (
          <li key={outcome.key}>
            <OutcomeRow outcome={outcome} route={route} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OutcomeRow(props: { readonly outcome: Outcome; readonly route: Route }): JSX.Element {
  const { outcome, route } = props;
  const { world } = usePage();
  const now = useNow(5);
  const { name, message = '', note, fault } = outcome;
  const known = world.messages.get(message);
  if (fault) {
    return (
      <>
        {name} <Told told={fault} />
      </>
    );
  }
  const faring = known && judgeMessage(known, now, world.user);
  return (
    <>
      <a href={writeRoute({ ...route, message })}>{name}</a>{' '}
      {known && faring ? (
        <span class={`tone-${stateMark(known.state, faring).tone}`}>
          <Mark mark={stateMark(known.state, faring)} /> {known.state}
        </span>
      ) : (
        <span class="faint">on disk</span>
      )}{' '}
      <span class="faint">{known?.waitsFor ?? note}</span>
    </>
  );
}
