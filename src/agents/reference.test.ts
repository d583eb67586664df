import { expect, test } from 'vitest';
import { createUser } from './agent.ts';
import {
  callName,
  fullName,
  nameFor,
  parseReference,
  pickNamesake,
  referWithin,
} from './reference.ts';

const shop = { id: 'agt_1', name: 'lead', session: 'shop' };
const blog = { id: 'agt_2', name: 'lead', session: 'blog' };
const both = [blog, shop];

test('a reference is a name, or a session and a name', () => {
  expect(parseReference('lead')).toEqual({ name: 'lead' });
  expect(parseReference('shop/lead')).toEqual({ session: 'shop', name: 'lead' });
  expect(parseReference('cafe\u0301/le\u0301a')).toEqual({ session: 'café', name: 'léa' });
  expect(parseReference('a/b/c')).toEqual({ session: 'a', name: 'b/c' });
});

test.each<[string, readonly (typeof shop)[], string | undefined, (string | undefined)[], string]>([
  ['nobody', [], undefined, ['shop'], 'none'],
  ['the only one, wherever it is', [shop], undefined, ['blog'], 'agt_1'],
  ['the nearest of several', both, undefined, ['shop', 'blog'], 'agt_1'],
  ['the next session, where the nearest has none', both, undefined, ['other', 'blog'], 'agt_2'],
  ['no session is near', both, undefined, [undefined], 'several'],
  ['none of the near ones has it', both, undefined, ['other'], 'several'],
  ['the one of the session that is named', both, 'shop', ['blog'], 'agt_1'],
  ['a session that has none, although there is only one', [shop], 'blog', ['shop'], 'none'],
])('who is meant: %s', (_, namesakes, session, near, expected) => {
  const picked = pickNamesake(namesakes, session, near);
  expect(picked.kind === 'one' ? picked.agent.id : picked.kind).toBe(expected);
});

test('an agent is written so that its reader finds it again', () => {
  expect(fullName(shop)).toBe('shop/lead');
  expect(fullName(createUser(0))).toBe('user');
  expect(callName({ ...shop, namesakes: true })).toBe('shop/lead');
  expect(callName(shop)).toBe('lead');
  // To one of its own session the name alone means it, however many there are.
  const worker = { id: 'agt_3', session: 'shop' };
  expect(nameFor(worker, { ...shop, namesakes: true })).toBe('lead');
  expect(nameFor(worker, blog)).toBe('blog/lead');
  expect(nameFor(worker, createUser(0))).toBe('user');
  expect(nameFor(createUser(0), blog)).toBe('lead');
  expect(nameFor(createUser(0), { ...blog, namesakes: true })).toBe('blog/lead');
});

test('a session beside a name says where it is looked for, and nothing of a full name or an id', () => {
  expect(referWithin('shop', 'lead')).toBe('shop/lead');
  for (const whole of ['blog/lead', 'agt_1', 'self'])
    expect(referWithin('shop', whole)).toBe(whole);
  expect(referWithin(undefined, 'lead')).toBe('lead');
});
