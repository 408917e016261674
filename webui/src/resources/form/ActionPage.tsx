import { Alert } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Json } from '../../api/client';
import { useGo } from '../../base/address';
import { tell } from '../../base/notice';
import { PageHead } from '../../base/PageHead';
import { at, nested } from '../../declarations/declarations';
import { fieldLabel, resourceTitle } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import { ResourceForm } from './ResourceForm';

/** A resource that acts and keeps nothing: a form, and the array's answer. */
export function ActionPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const go = useGo();
  const [answer, setAnswer] = useState<Json>();
  const { resource, api } = place;
  const title = resourceTitle(t, resource.path);
  return (
    <div className="page">
      <PageHead title={title} help={resource.doc} />
      {answer && resource.answer && (
        <section className="card" aria-label={t('Answer')}>
          <h2>{t('Answer')}</h2>
          {resource.answer.map((node) => (
            <div key={node.name}>
              <h3>{fieldLabel(t, node.name)}</h3>
              <pre tabIndex={0}>{String(at(answer, node.name) ?? '')}</pre>
            </div>
          ))}
        </section>
      )}
      {answer && !resource.answer && (
        <Alert component="h2" isInline variant="success" title={t('Done')} />
      )}
      <ResourceForm
        resource={resource}
        nodes={resource.fields.filter((node) => node.create)}
        options={[]}
        method="POST"
        path={api}
        initial={{}}
        submit={title}
        onCancel={() => go('/')}
        onSubmit={async (body) => {
          setAnswer(await call('POST', api, {}, nested(body)));
          tell('success', title);
        }}
      />
    </div>
  );
}
