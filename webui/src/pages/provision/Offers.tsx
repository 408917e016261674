import {
  Checkbox,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
} from '@patternfly/react-core';

import { fieldId } from '../../resources/form/fieldProps';

/** A choice, and a note about it. */
export interface Offer {
  value: string;
  note: string;
  /** It is chosen, and that cannot be undone here. */
  isFixed?: boolean;
}

interface Props {
  name: string;
  label: string;
  help: string;
  offers: readonly Offer[];
  chosen: readonly string[];
  error?: string;
  onChange: (chosen: string[]) => void;
}

/** Boxes to tick choices. */
export function Offers({ name, label, help, offers, chosen, error = '', onChange }: Props) {
  const id = fieldId(name);
  return (
    <FormGroup className="offers-group" role="group" label={label} fieldId={id}>
      <div id={id} className="offers" tabIndex={-1}>
        {offers.map(({ value, note, isFixed = false }) => (
          <Checkbox
            key={value}
            id={`${id}-${value}`}
            label={value}
            description={note}
            isDisabled={isFixed}
            isChecked={isFixed || chosen.includes(value)}
            onChange={(_event, isTicked) =>
              onChange(isTicked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
        ))}
      </div>
      <FormHelperText>
        <HelperText id={`${id}-help`} {...(error && { 'aria-live': 'polite' as const })}>
          <HelperTextItem variant={error ? 'error' : 'default'}>{error || help}</HelperTextItem>
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}
