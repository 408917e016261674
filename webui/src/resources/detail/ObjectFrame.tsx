import { Breadcrumb, BreadcrumbItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useGo, usePathname } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { PageLink } from '../../base/PageLink';
import { useGoOn } from '../../base/presence';
import { ReasonedButton } from '../../base/ReasonedButton';
import { at, below, isAction, mayBeAbsent, useDeclarations } from '../../declarations/declarations';
import { settable } from '../../declarations/fields';
import { resourceTitle } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { childPage, collectionPage, objectPage, type Place } from '../../declarations/place';
import { useDisabledReason, useMayRead } from '../../session/useSession';
import { ActionButtons } from '../action/ActionButtons';
import { DeleteDialog } from '../action/DeleteDialog';
import { CreateButton } from '../CreateButton';
import { usePresentation } from '../presentation';
import { parentOf, recordQuery } from '../record';
import { State } from '../State';

interface Props {
  /** The object itself, or a collection below it. */
  place?: Place;
  below?: Place;
  children: ReactNode;
}

/** The frame of all pages of one object: its name, its state, its actions, and its parts. */
export function ObjectFrame({ place: own, below: collection, children }: Props) {
  const declarations = useDeclarations();
  const pathname = usePathname();
  const place = own ?? parentOf(declarations, pathname);
  if (!place) return children;
  return (
    <div className="page">
      <Head place={place} shown={collection} />
      {children}
    </div>
  );
}

function Head({ place, shown }: { place: Place; shown: Place | undefined }) {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const { data: record = {} } = useQuery(recordQuery(place));
  const { resource } = place;
  const { title: titleOf } = usePresentation(resource.path);
  const state = at(record, 'state') ?? at(record, 'status.state');
  const heading = titleOf?.(t, declarations, record) ?? nameIn(record);
  return (
    <>
      <PageHead
        title={
          resource.single
            ? resourceTitle(t, resource.path)
            : heading || Object.values(place.keys).at(-1)!
        }
        {...(resource.single && { help: resource.doc })}
        above={!resource.single && <Above place={place} />}
        aside={
          typeof state === 'string' && (
            <State value={state} isJob={resource.path === 'cluster/jobs'} />
          )
        }
      >
        <Buttons place={place} />
      </PageHead>
      <Parts place={place} shown={shown} />
    </>
  );
}

/** The way down to an object: the objects above it, and its collection. */
function Above({ place: { resource, keys } }: { place: Place }) {
  const { t } = useTranslation();
  const above = parentOf(useDeclarations(), objectPage(resource, keys));
  return (
    <Breadcrumb aria-label={t('Where this is')}>
      {above && (
        <BreadcrumbItem>
          <PageLink to={objectPage(above.resource, above.keys)}>
            <ParentName place={above} />
          </PageLink>
        </BreadcrumbItem>
      )}
      <BreadcrumbItem>
        <PageLink to={collectionPage(resource, keys)}>{resourceTitle(t, resource.path)}</PageLink>
      </BreadcrumbItem>
    </Breadcrumb>
  );
}

/** The actions on an object. */
function Buttons({ place }: { place: Place }) {
  const { t } = useTranslation();
  const go = useGo();
  const goOn = useGoOn();
  const reason = useDisabledReason();
  const [isDeleting, setIsDeleting] = useState(false);
  const { data: record = {}, isSuccess, isPending } = useQuery(recordQuery(place));
  const { resource, api, keys } = place;
  return (
    <>
      {isPending && <Loading isLine />}
      {resource.single && !mayBeAbsent(resource) && <CreateButton place={place} />}
      {isSuccess && <ActionButtons place={place} records={[record]} />}
      {resource.methods.includes('PATCH') && settable(resource, 'modify').length > 0 && (
        <ReasonedButton
          variant="secondary"
          reason={reason('PATCH', api)}
          onClick={() => go(`${objectPage(resource, keys)}/~edit`)}
        >
          {t('Edit')}
        </ReasonedButton>
      )}
      {resource.methods.includes('DELETE') && (
        <ReasonedButton
          variant="secondary"
          isDanger
          reason={reason('DELETE', api)}
          onClick={() => setIsDeleting(true)}
        >
          {t('Delete')}
        </ReasonedButton>
      )}
      {isDeleting && (
        <DeleteDialog
          place={place}
          records={[record]}
          onClose={(done) => {
            setIsDeleting(false);
            if (done) goOn(collectionPage(resource, keys));
          }}
        />
      )}
    </>
  );
}

/** Links to the collections below an object. */
function Parts({ place, shown }: { place: Place; shown: Place | undefined }) {
  const { t } = useTranslation();
  const pathname = usePathname();
  const mayRead = useMayRead();
  const { resources } = useDeclarations();
  const own = objectPage(place.resource, place.keys);
  const parts = below(resources, place.resource).filter(({ path }) => mayRead(path));
  if (!parts.length) return null;
  return (
    <nav className="parts" aria-label={t('Parts')}>
      <PageLink to={own} aria-current={pathname === own ? 'page' : undefined}>
        {t('Overview')}
      </PageLink>
      {parts.map((part) => (
        <PageLink
          key={part.path}
          to={childPage(place, part)}
          aria-current={part.path === shown?.resource.path ? 'page' : undefined}
        >
          {isAction(part) ? `${resourceTitle(t, part.path)} …` : resourceTitle(t, part.path)}
        </PageLink>
      ))}
    </nav>
  );
}

function ParentName({ place }: { place: Place }) {
  const { data, isPending } = useQuery(recordQuery(place));
  if (isPending) return <Loading isLine />;
  return <>{data ? nameIn(data) : '…'}</>;
}
