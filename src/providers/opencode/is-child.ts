// Tests: src/providers/opencode/questions.test.ts, src/providers/opencode/state.test.ts.

import { asObject, asText } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { askServer, type ServerAddress } from './server.ts';

/**
 * Whether a session is one of a sub-agent. Undefined where the server does not say: that is the
 * trouble of this session alone (rule 41). Throws when the connection is given up.
 */
export async function isChild(
  address: ServerAddress,
  session: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    const { body } = await askServer(address, `/session/${encodeURIComponent(session)}`, signal);
    return asText(asObject(body)['parentID']) !== undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return reportBug('asking OpenCode for a session', error);
  }
}
