import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** A component that is drawn again only where its properties are others. */
export function memo<Props extends object>(
  draw: FunctionComponent<Props>,
  isSame: (before: Props, now: Props) => boolean,
) {
  return class extends Component<Props> {
    override shouldComponentUpdate(now: Props): boolean {
      return !isSame(this.props, now);
    }

    override render(props: Props): ComponentChild {
      return h(draw, props);
    }
  };
}
