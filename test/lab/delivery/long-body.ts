import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SendResult } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { patienceMs } from '../life/life.ts';
import { allow, settles } from './cases-usual.ts';
import { Post } from './post.ts';

/**
 * 100 KB do not fit into a turn: the message is named, and the model reads it by a command of its
 * own (rule 13).
 */
export const longBody: Check = {
  name: '100-kb',
  promise:
    'rule 13: 100 KB are named in one line, `injected` until the model has read the body to its end, and `seen` then',
  isLong: true,
  run: async (life) => {
    const post = new Post(life);
    const text = Array.from({ length: 2500 }, () => randomBytes(20).toString('hex')).join('\n');
    const digest = createHash('sha256').update(text).digest('hex');
    const file = join(life.home.home, 'long-body.txt');
    writeFileSync(file, `${text}\nsha256 ${digest}\n`);
    const { id } = await life.box.ask<SendResult>(['send', 'lab', '--file', file]);
    const letter = { id, word: digest };
    await post.becomes(letter, ['injected']);
    await waitUntil('its name at the model', () => hasGot(` ${id} `), patienceMs);
    await settles(life);
    must((await post.state(id)) === 'injected', `it is ${await post.state(id)} by its name alone`);
    must(!hasGot(digest), 'the body went in whole');
    const show = `${process.execPath} ${life.box.program} inbox show ${id} --part`;
    // Gemini CLI runs no command with a substitution in it.
    const parts = Array.from({ length: 20 }, (_, i) => i + 1).join(' ');
    const all = `for i in ${parts}; do ${show} $i || break; done 2>&1 | tail -c 1500`;
    const from = life.events.length;
    // On lines of their own: Qwen Code's way in writes a backslash before an @.
    await post.send(`@@tool ${all}\n@@say read`);
    await life.hears('waiting', ({ status }) => status === 'waiting', from);
    await allow(life);
    await waitUntil('its last line at the model', () => hasGot(digest), patienceMs);
    await post.becomes(letter, ['seen', 'acked']);
    await settles(life);
    return undefined;

    function hasGot(word: string): boolean {
      return life.mock.requests.some(({ isSide, body }) => !isSide && body.includes(word));
    }
  },
};
