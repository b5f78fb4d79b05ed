/**
 * Columns that SharePoint gives every list and fills itself. Graph reports some of them as not read-only, yet refuses
 * rows that set them. `Title` is not among them: people write it.
 */
const BUILT_IN = new Set(
  [
    'ID GUID Title LinkTitle LinkTitleNoMenu LinkTitle2 Edit DocIcon Attachments ContentType ContentTypeId',
    'Modified Created Author Editor AppAuthor AppEditor Created_x0020_Date Last_x0020_Modified',
    'ItemChildCount FolderChildCount ComplianceAssetId',
    '_ComplianceFlags _ComplianceTag _ComplianceTagWrittenTime _ComplianceTagUserId _IsRecord',
    '_UIVersion _UIVersionString _Level _IsCurrentVersion _ModerationStatus _ModerationComments _CheckinComment',
    '_HasCopyDestinations _CopySource _EditMenuTableStart _EditMenuTableStart2 _EditMenuTableEnd',
    '_CommentCount _CommentFlags _LikeCount _ColorHex _ColorTag _Emoji _DisplayName _FileArchiveStatus',
    '_VirusStatus _VirusVendorID _VirusInfo _RansomwareAnomalyMetaInfo',
    'FileRef FileDirRef FileLeafRef File_x0020_Type File_x0020_Size FSObjType HTML_x0020_File_x0020_Type',
    'LinkFilename LinkFilenameNoMenu LinkFilename2 SelectTitle SelectFilename BaseName EncodedAbsUrl ServerUrl',
    'Order InstanceID WorkflowVersion WorkflowInstanceID PermMask ScopeId UniqueId SyncClientId ProgId MetaInfo',
    'SortBehavior owshiddenversion Restricted OriginatorId NoExecute ContentVersion AccessPolicy',
    'ParentVersionString ParentLeafName SMTotalSize SMLastModifiedDate SMTotalFileStreamSize SMTotalFileCount',
  ].flatMap((line) => line.split(' ')),
);

/** True for a column that no restore needs to make. */
export function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name);
}

/** True for a column whose values are the service's own. */
export function isFilledByService(name: string): boolean {
  return name !== 'Title' && BUILT_IN.has(name);
}
