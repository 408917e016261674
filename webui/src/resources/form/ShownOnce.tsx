import { Alert, Button, ClipboardCopy } from '@patternfly/react-core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { PageHead } from '../../base/PageHead';
import { at, type Resource } from '../../declarations/declarations';
import { fieldLabel, resourceNoun } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { usePresentation } from '../presentation';

interface Props {
  resource: Resource;
  record: Json;
  onClose: () => void;
}

/** Secrets that the array has generated for a new object, and never shows again. */
export function ShownOnce({ resource, record, onClose }: Props) {
  const { t } = useTranslation();
  const what = `${resourceNoun(t, resource.path)} ${nameIn(record)}`;
  const { once: Once } = usePresentation(resource.path);
  return (
    <div className="page page-narrow">
      <PageHead title={what} />
      <Alert
        component="h2"
        isInline
        variant="warning"
        title={t('This is shown once. Keep it before you leave this page.')}
      />
      <section className="card shown-once" aria-label={t('Shown once')}>
        {Once && (
          <Suspense>
            <Once record={record} />
          </Suspense>
        )}
        {resource.answer!.map((node) => {
          const label = fieldLabel(t, node.name);
          const value = at(record, node.name);
          return (
            <div key={node.name}>
              <h2>{label}</h2>
              <ClipboardCopy
                isReadOnly
                isCode
                hoverTip={t('Copy: {{label}}', { label })}
                clickTip={t('Copied')}
                textAriaLabel={label}
              >
                {Array.isArray(value) ? value.join(' ') : String(value ?? '')}
              </ClipboardCopy>
            </div>
          );
        })}
      </section>
      <div className="form-buttons">
        <Button onClick={onClose}>{t('I have kept it')}</Button>
      </div>
    </div>
  );
}
