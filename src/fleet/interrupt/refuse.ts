import { callName } from '../../agents/reference.ts';
import { isAtRest } from '../../agents/remember-turn.ts';
import type { StatusView, Verdict } from '../../agents/status.ts';
import { describeWait } from '../../messages/describe-wait.ts';
import type { WaitReason } from '../../messages/wait-reason.ts';
import { Fault } from '../../shared/fault.ts';
import type { KeyObstacle } from '../../terminals/writing.ts';
import type { Life } from '../life.ts';

/** Why the turn of this agent is not ended, each with what a person can do. */

/** By what is known of it: only a turn that runs is ended. Undefined: nothing speaks against it. */
export function objectTo(
  life: Life,
  { status, detail }: Pick<StatusView, 'status' | 'detail'>,
): Fault | undefined {
  const name = callName(life.agent);
  const facts = detail === undefined ? status : `${status}, ${detail}`;
  if (status === 'processing') return undefined;
  if (status === 'waiting') {
    return refusal(
      `"${name}" asks a person something (${detail ?? 'a dialog'}), and Esc would answer that.`,
      `Answer it in its terminal: \`signalbox attach ${name}\`.`,
    );
  }
  if (isAtRest(status)) {
    return refusal(
      `"${name}" is at rest (${facts}): no turn of it runs.`,
      `\`signalbox status ${name}\` says more of it.`,
    );
  }
  if (status === 'exited') return hasEnded(life);
  return refusal(
    `Nobody can tell whether a turn of "${name}" runs (${facts}), so nothing was pressed.`,
    look(name),
  );
}

/** By what its screen shows: whatever stands there is the person's. */
export function objectToScreen(
  life: Life,
  { status, detail, composer }: Verdict,
): Fault | undefined {
  if (status === 'waiting') return objectTo(life, { status, ...(detail ? { detail } : {}) });
  const name = callName(life.agent);
  if (composer === 'draft') {
    return refusal(
      `A draft stands in the composer of "${name}", which Esc might change.`,
      `Send or delete it first: \`signalbox attach ${name}\`.`,
    );
  }
  if (composer !== 'hidden') return undefined;
  return refusal(
    `A menu or another view covers the composer of "${name}", and Esc would close that.`,
    look(name),
  );
}

export function hasObstacle({ agent }: Life, obstacle: KeyObstacle): Fault {
  const name = callName(agent);
  return refusal(
    `No key reaches "${name}" alone: ${describeWait({ code: obstacle })}.`,
    look(name),
  );
}

export function hasTyped({ agent }: Life): Fault {
  const name = callName(agent);
  return refusal(
    `A person typed in the terminal of "${name}" at that moment, or came to look, so nothing was pressed.`,
    'Ask again, or press Esc there.',
  );
}

/** Its CLI has no API for that here, and no key can be pressed. */
export function hasNoWay({ agent, provider }: Life, why: WaitReason | string | undefined): Fault {
  const name = callName(agent);
  const said = typeof why === 'object' ? describeWait(why) : why;
  return refusal(
    said === undefined
      ? `Nobody has tried how a turn of ${provider.title} is ended, so nothing was pressed in "${name}".`
      : `The turn of "${name}" cannot be ended from here: ${said.replace(/\.$/, '')}.`,
    look(name),
  );
}

export function showsNoWork({ agent }: Life): Fault {
  const name = callName(agent);
  return refusal(
    `"${name}" counts as working, and its screen shows no sign of that, so nothing was pressed.`,
    look(name),
  );
}

/** Whoever asked did not wait until it was certain that a turn runs. */
export function isTooSoon({ agent }: Life): Fault {
  const name = callName(agent);
  return new Fault(
    'timed-out',
    `Whether a turn of "${name}" runs was not certain in time, so nothing was pressed.`,
    'Ask again with a longer `--timeout`: it takes up to 4 s.',
  );
}

/** It has told of a question, which its screen does not show, or not at this moment. */
export function willAsk({ agent }: Life): Fault {
  const name = callName(agent);
  return refusal(
    `"${name}" is about to ask a person something, and Esc would answer that.`,
    `Wait a moment and answer it in its terminal: \`signalbox attach ${name}\`; or ask again.`,
  );
}

export function isInterrupted({ agent }: Life): Fault {
  return refusal(
    `The turn of "${callName(agent)}" is being ended already.`,
    'Wait for that; then ask again if it still works.',
  );
}

export function hasEnded({ agent }: Life): Fault {
  const name = callName(agent);
  return new Fault(
    'agent-exited',
    `"${name}" does not run.`,
    `\`signalbox status ${name}\` says why; \`signalbox restart ${name}\` starts it again.`,
  );
}

function look(name: string): string {
  return `See for yourself: \`signalbox attach ${name}\`.`;
}

function refusal(message: string, next: string): Fault {
  return new Fault('wrong-state', message, next);
}
