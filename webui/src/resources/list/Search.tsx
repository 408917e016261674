import { SearchInput } from '@patternfly/react-core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PAUSE = 300;

interface Props {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

/** A field that takes effect when typing pauses. */
export function Search({ label, text: initial, onChange }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(initial);
  // Text from here that comes back is no news: more may have been typed since.
  const known = useRef(initial);
  useEffect(() => {
    if (initial === known.current) return;
    known.current = initial;
    setText(initial);
  }, [initial]);
  const tell = useEffectEvent(onChange);
  useEffect(() => {
    if (text.trim() === known.current) return;
    const timer = setTimeout(() => {
      known.current = text.trim();
      tell(known.current);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div data-filter className="tools-search">
      <SearchInput
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(_event, value) => setText(value)}
        onClear={() => setText('')}
        resetButtonLabel={t('Clear')}
      />
    </div>
  );
}
