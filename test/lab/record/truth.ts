import type { Scenario } from './scenario.ts';
import type { LabSession } from './session.ts';

/**
 * A recording is only as good as its name. What a screen looks like is what we want to learn, so
 * the state is proven by what happened outside it: by the requests at the mock, and by the files
 * that the tools leave (`began`, `ended`).
 */
export async function verify(session: LabSession, scenario: Scenario): Promise<void> {
  if (scenario.verify) return await scenario.verify(session);
  const problem = contradiction(session, scenario);
  if (problem) {
    const log = session.mock.requests
      .map(
        ({ n, isSide, lastUserText, outcome }) =>
          `#${n}${isSide ? ' side' : ''} ${JSON.stringify(lastUserText.slice(0, 60))} ${outcome ?? 'open'}`,
      )
      .join('\n');
    throw new Error(`Expected ${scenario.expect.status}, but ${problem}. Requests:\n${log}`);
  }
}

function contradiction(session: LabSession, { expect }: Scenario): string | undefined {
  const { turns } = session;
  const open = turns.filter(({ outcome }) => outcome === undefined).length;
  // Codex 0.166.0 lets the model go on after 10 s of a command: then a request has brought a
  // result, and the tool runs on.
  const isBack = turns.some(({ callsSince }) => callsSince > 0);
  const runsTool = session.hasFile('began') && !session.hasFile('ended') && !isBack;
  const last = turns.at(-1);
  switch (expect.status) {
    case 'starting':
    case 'idle':
      return turns.length > 0 ? 'a turn has begun' : undefined;
    case 'processing':
      return open === 0 && !runsTool ? 'no request is open and no tool runs' : undefined;
    case 'waiting':
      if (session.hasFile('began')) return 'the tool has run';
      return open > 0 ? 'a request is open' : undefined;
    case 'completed':
      if (open > 0 || runsTool) return 'a request is open or a tool runs';
      return last === undefined || last.outcome === 'failed' ? 'no turn has ended well' : undefined;
    case 'error':
      return open > 0 || last?.outcome !== 'failed' ? 'the last request did not fail' : undefined;
    case 'exited':
    case 'unknown':
      return undefined;
  }
}
