import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Json, type Page } from '../../api/client';
import { useGo, useParameters } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { useGoOn } from '../../base/presence';
import { useChange } from '../../changes/jobs';
import { nested } from '../../declarations/declarations';
import { settable } from '../../declarations/fields';
import { resourceNoun } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { collectionPage, objectPage, type Place } from '../../declarations/place';
import { made } from '../made';
import { recordQuery } from '../record';
import { isFormOption } from './options';
import { ResourceForm } from './ResourceForm';
import { ToldOnce } from './ToldOnce';
import { typedAll, type Values } from './values';

/** The form that creates an object, or changes one. */
export function FormPage({ place }: { place: Place }) {
  return place.form === 'edit' ? <Edit place={place} /> : <Create place={place} />;
}

function Create({ place }: { place: Place }) {
  const { t } = useTranslation();
  const go = useGo();
  const goOn = useGoOn();
  const change = useChange();
  const [parameters] = useParameters();
  const [told, setTold] = useState<Json>();
  const { resource, collection } = place;
  const what = resourceNoun(t, resource.path);
  const nodes = settable(resource, 'create');
  const suggestion = made[resource.path]?.suggestion;
  const suggested = useQuery({
    queryKey: ['suggestion', collection],
    enabled: Boolean(suggestion),
    staleTime: 0,
    queryFn: async () =>
      (await call<Page>('GET', collection, { ...suggestion!.query, fields: '*' })).records[0] ??
      null,
  });
  const record = suggested.data ?? undefined;
  const initial = useMemo(
    () => ({
      ...(record &&
        typedAll(
          nodes.filter(({ name }) => suggestion!.fields.includes(name)),
          record,
        )),
      ...(Object.fromEntries(
        nodes
          .filter((node) => node.default !== undefined)
          .map((node) => [
            node.name,
            node.kind === 'boolean' ? Boolean(node.default) : String(node.default),
          ]),
      ) as Values),
      ...Object.fromEntries(
        nodes
          .filter(({ name }) => made[resource.path]?.linked?.includes(name) && parameters.has(name))
          .map(({ name, kind }) => {
            const text = parameters.get(name)!;
            return [name, kind === 'reference' ? { name: text } : text];
          }),
      ),
    }),
    [resource, record],
  );
  // A form that lacked something comes back to itself.
  const back = parameters.get('back') ?? '';
  const list = /^\/(?!\/)/.test(back) ? back : collectionPage(resource, place.keys);
  if (told) return <ToldOnce resource={resource} record={told} onClose={() => go(list)} />;
  return (
    <div className="page">
      <PageHead title={t('Create {{what}}', { what })} help={resource.doc} />
      {suggestion && suggested.isSuccess && <suggestion.note record={record} />}
      {suggestion && suggested.isPending && <Loading />}
      {(!suggestion || !suggested.isPending) && (
        <ResourceForm
          resource={resource}
          nodes={nodes}
          options={(resource.options ?? []).filter(isFormOption)}
          method="POST"
          path={collection}
          initial={initial}
          submit={t('Create {{what}}', { what })}
          onCancel={() => go(list)}
          onSubmit={async (body, query) => {
            const name = String(body['name'] ?? '');
            const text = t('Create {{what}}', { what: `${what} ${name}`.trim() });
            const answer = await change({
              method: 'POST',
              path: collection,
              query,
              body: nested(body),
              text,
            });
            const [record] = (answer['records'] ?? []) as Json[];
            if (resource.answer && record) setTold(record);
            else goOn(list);
          }}
        />
      )}
    </div>
  );
}

function Edit({ place }: { place: Place }) {
  const { t } = useTranslation();
  const go = useGo();
  const goOn = useGoOn();
  const change = useChange();
  const { resource, api } = place;
  const { data: record } = useQuery({ ...recordQuery(place), refetchInterval: false });
  const nodes = settable(resource, 'modify');
  const isLoaded = Boolean(record);
  // As it was when the form was opened: what others change meanwhile is no change of this form.
  const before = useMemo(() => typedAll(nodes, record ?? {}), [isLoaded, resource]);
  if (!record) return <Loading />;
  const page = objectPage(resource, place.keys);
  const what = `${resourceNoun(t, resource.path)} ${resource.single ? '' : nameIn(record)}`.trim();
  return (
    <div className="page">
      <PageHead title={t('Edit {{what}}', { what })} />
      <ResourceForm
        resource={resource}
        nodes={nodes}
        options={(resource.options ?? []).filter(isFormOption)}
        method="PATCH"
        path={api}
        record={record}
        initial={before}
        submit={t('Save')}
        onCancel={() => go(page)}
        onSubmit={async (body: Json, query) => {
          const text = t('Change {{what}}', { what });
          await change({ method: 'PATCH', path: api, query, body: nested(body), text });
          goOn(page);
        }}
      />
    </div>
  );
}
