import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Carried } from '../server/read-bounded.ts';
import { lookFirst } from './look-first.ts';

async function ask(method: string, path: string) {
  const heard: string[] = [];
  let carried: Carried | undefined;
  const fetch = lookFirst(
    async (_, given) => {
      heard.push('answered');
      carried = given;
      return new Response(null, { status: 204 });
    },
    { look: (agent) => void heard.push(agent), isPasting: () => false, isDeciding: () => false },
  );
  const request = new Request(`http://signalbox${path}`, { method });
  expect((await fetch(request, { body: Readable.from([]) })).status).toBe(204);
  return { heard, looked: carried?.looked };
}

test('D1: who is to be looked at is told before its request is answered, and the answer knows', async () => {
  expect(await ask('POST', '/agents/agt_01m7/look')).toEqual({
    heard: ['agt_01m7', 'answered'],
    looked: 'agt_01m7',
  });
});

test.each([
  ['GET', '/agents/agt_01m7/look'],
  ['POST', '/agents/agt_01m7/stop'],
  ['POST', '/agents/%E2%80%A6/look'],
  ['POST', '/messages'],
])('%s %s is only answered', async (method, path) => {
  expect(await ask(method, path)).toEqual({ heard: ['answered'], looked: undefined });
});
