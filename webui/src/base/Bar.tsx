interface Props {
  percent: number;
  condition: 'normal' | 'warning' | 'bad';
  /** The value of the bar, in words. */
  text: string;
}

/** A share as a bar and in words. */
export function Bar({ percent, condition, text }: Props) {
  return (
    <span className={`capacity capacity-${condition}`} title={`${percent} %`}>
      <span className="capacity-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(percent, 100)}%` }} />
      </span>
      <span className="capacity-text">{text}</span>
    </span>
  );
}
