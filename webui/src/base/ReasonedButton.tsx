import { Button, type ButtonProps, Tooltip } from '@patternfly/react-core';

/** A button that, where it cannot be used, says why: to the mouse, the keyboard and a reader. */
export function ReasonedButton({
  reason,
  ...props
}: ButtonProps & { reason?: string | undefined }) {
  if (!reason) return <Button {...props} />;
  return (
    <Tooltip content={reason}>
      <Button {...props} isAriaDisabled />
    </Tooltip>
  );
}
