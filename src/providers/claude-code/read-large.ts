import type { Json } from '../../shared/json.ts';

/**
 * Of a large record without a mark only what it is and what it hangs on count. Quotes inside a
 * string are escaped: these words stand for themselves.
 */
export function readLarge(line: Buffer): Json {
  const has = (word: string): boolean => line.includes(word);
  if (has('"isSidechain":true') || has('"agentId":"')) return {};
  const text = line.toString('latin1');
  const read = (name: string) => new RegExp(`"${name}":"([\\w-]+)"`).exec(text)?.[1];
  const link = { uuid: read('uuid'), parentUuid: read('parentUuid') };
  if (has('"type":"user"')) {
    const content = has('"type":"tool_result"') ? [{ type: 'tool_result' }] : 'a long prompt';
    return { ...link, type: 'user', promptId: read('promptId'), message: { content } };
  }
  const isModels = has('"type":"assistant"') && !has('"<synthetic>"');
  if (!isModels || has('"isApiErrorMessage":true')) return link;
  const id = /"id":"(msg_[\w-]+)"/.exec(text)?.[1];
  const message = { id, content: [{ type: 'text', text: 'a long answer' }] };
  return { ...link, type: 'assistant', requestRef: read('requestRef'), message };
}
