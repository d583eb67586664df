import type { MockLlm } from '../../test/lab/mock-llm/server.ts';
import { waitUntil } from '../../test/support/wait-until.ts';

/** On a busy machine a CLI may take a minute for its start, and so may a tool for its notice. */
export const patienceMs = 120_000;
/**
 * Since the model's last word. More than 20 wakes in a minute are a loop to our hook of Claude
 * Code: messages to one agent are at least so far apart, in every tool.
 */
const quietMs = 3100;

/** No request is open, and none has been for a while. */
export async function modelRests(mock: Pick<MockLlm, 'requests'>): Promise<void> {
  const isQuiet = (): boolean =>
    mock.requests.every(({ outcome, endedAt = 0 }) => {
      return outcome !== undefined && Date.now() - endedAt > quietMs;
    });
  await waitUntil('a model at rest', isQuiet, patienceMs);
}
