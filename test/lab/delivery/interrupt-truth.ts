import type { InterruptView } from '../../../src/protocol/interrupt.ts';
import { must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { Person } from './person.ts';
import { createWord, type Letter, Post } from './post.ts';

type Fate = InterruptView['messages'][number]['fate'];

/** Where a message then stands, by what `interrupt` says of it. */
const isInConversation: Readonly<Partial<Record<Fate, boolean>>> = {
  'in-conversation': true,
  'taken-back': false,
  'put-back': false,
  'taken-out': false,
};

/**
 * What `interrupt` has said of a message, against what the model gets with the person's next words,
 * and against the composer.
 */
export async function isTrue(life: Life, letter: Letter, fate: Fate | undefined): Promise<void> {
  const post = new Post(life);
  const { text } = await life.hands.look();
  const { composer } = await life.show();
  if (fate === 'put-back') {
    must(composer === 'draft', `it is said to stand in the composer, which is ${composer}`);
    must(text.includes(letter.word), 'it is said to stand in the composer, and is not there');
  }
  must(post.requestsWith(letter).length > 0, 'the model never had it');
  await new Person(life).empties();
  const { request } = await life.ask(`@@say truth ${createWord()}`);
  const isThere = request.body.includes(letter.word);
  const says = isThere ? 'in the next request' : 'not in the next request';
  process.stdout.write(`${life.lab.name}  ${fate}, composer ${composer}: ${says}\n`);
  const wanted = fate && isInConversation[fate];
  must(wanted === undefined || wanted === isThere, `it is said to be ${fate}, and is ${says}`);
}
