import { request } from 'node:http';
import { judgeSocketListed } from '../../shared/own-path.ts';

/**
 * Exit codes of curl, by which `hook-client.sh` goes on: there was an answer; it was a refusal;
 * there was none in time.
 */
const answered = 0;
const refused = 22;
const unheard = 7;

export interface Question {
  readonly socket: string;
  readonly token: string;
  /** Below `/hooks/`, as it stands in the URL. */
  readonly path: string;
  readonly body: string;
  readonly ms: number;
  /** Which call of the hook: `<second>-<pid>`. */
  readonly report: string;
}

/**
 * One question to the daemon, whose answer is printed: what curl does where there is one. The code
 * to end with.
 */
export async function ask(question: Question): Promise<number> {
  // It may be somebody else's, who would get the token and the payload.
  if (judgeSocketListed(question.socket).length > 0) return unheard;
  const answer = await post(question);
  if (!answer) return unheard;
  if (answer.status >= 400) return refused;
  await new Promise((done) => process.stdout.write(answer.text, done));
  return answered;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Undefined when there was no whole answer in time. */
function post({ socket, token, path, body, ms, report }: Question): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const asking = request({
      socketPath: socket,
      path: `/hooks/${path}`,
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(ms),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-signalbox-report': report,
        'content-length': Buffer.byteLength(body),
      },
    });
    asking.on('error', () => resolve(undefined));
    asking.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    asking.end(body);
  });
}
