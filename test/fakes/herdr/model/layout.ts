import type { Pane } from './panes.ts';

export type Direction = 'right' | 'down';

export type LayoutNode =
  | { readonly kind: 'pane'; readonly pane: Pane }
  | {
      readonly kind: 'split';
      readonly direction: Direction;
      readonly ratio: number;
      readonly first: LayoutNode;
      readonly second: LayoutNode;
    };

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A view of 80x24 without a client, less the sidebar and the bar of tabs (herdr 0.8.0). */
export const area: Rect = { x: 26, y: 1, width: 54, height: 23 };

export function listPanes(node: LayoutNode): readonly Pane[] {
  return node.kind === 'pane' ? [node.pane] : [...listPanes(node.first), ...listPanes(node.second)];
}

export function splitAt(
  node: LayoutNode,
  target: Pane,
  added: Pane,
  how: { readonly direction: Direction; readonly ratio: number },
): LayoutNode {
  if (node.kind === 'split') {
    const { first, second } = node;
    return {
      ...node,
      first: splitAt(first, target, added, how),
      second: splitAt(second, target, added, how),
    };
  }
  if (node.pane !== target) return node;
  return { kind: 'split', ...how, first: node, second: { kind: 'pane', pane: added } };
}

/** What is left without the pane; its sibling takes the room. */
export function without(node: LayoutNode, gone: Pane): LayoutNode | undefined {
  if (node.kind === 'pane') return node.pane === gone ? undefined : node;
  const first = without(node.first, gone);
  const second = without(node.second, gone);
  return first && second ? { ...node, first, second } : (first ?? second);
}

export function placePanes(node: LayoutNode, rect = area): readonly [Pane, Rect][] {
  if (node.kind === 'pane') return [[node.pane, rect]];
  const [first, second] = halve(rect, node.direction, node.ratio);
  return [...placePanes(node.first, first), ...placePanes(node.second, second)];
}

export function listSplits(node: LayoutNode, rect = area, path = 'root'): readonly object[] {
  if (node.kind === 'pane') return [];
  const { direction, ratio } = node;
  const [first, second] = halve(rect, direction, ratio);
  return [
    { id: path, direction, ratio, rect },
    ...listSplits(node.first, first, `${path}.0`),
    ...listSplits(node.second, second, `${path}.1`),
  ];
}

function halve(rect: Rect, direction: Direction, ratio: number): readonly [Rect, Rect] {
  const { x, y, width, height } = rect;
  if (direction === 'right') {
    const left = Math.round(width * ratio);
    return [
      { ...rect, width: left },
      { x: x + left, y, width: width - left, height },
    ];
  }
  const top = Math.round(height * ratio);
  return [
    { ...rect, height: top },
    { x, y: y + top, width, height: height - top },
  ];
}
