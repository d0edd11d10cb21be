package gates

import "strings"

// isSQLKeyword reports whether a word before a parenthesis is a part of the
// language: a clause, an operator, a type.
func isSQLKeyword(word string) bool {
	switch word {
	case "all", "and", "any", "array", "as", "asc", "between", "by", "case", "check", "cross", "cube", "desc", "distinct", "else", "end", "except", "exists", "fetch", "from", "full", "group", "having", "ilike", "in", "inner", "intersect", "interval", "is", "join", "lateral", "left", "like", "limit", "materialized", "natural", "not", "null", "offset", "on", "only", "or", "order", "outer", "primary", "recursive", "regexp", "right", "rlike", "rollup", "row", "rows", "select", "sets", "similar", "some", "symmetric", "then", "to", "union", "unique", "using", "values", "when", "where", "window", "with",
		"bigint", "binary", "bit", "blob", "bool", "boolean", "bytea", "char", "character", "date", "datetime", "dec", "decimal", "double", "enum", "float", "float4", "float8", "hugeint", "int", "int2", "int4", "int8", "integer", "json", "jsonb", "mediumint", "nchar", "numeric", "nvarchar", "precision", "real", "signed", "smallint", "text", "time", "timestamp", "timestamptz", "tinyint", "unsigned", "uuid", "varbinary", "varbit", "varchar", "varying", "vector":
		return true
	}
	return false
}

// isSQLFunction reports whether a dialect has a function of this name, in
// lower case, that only computes: it changes nothing, reads no files, and
// runs no SQL given as a string.
func isSQLFunction(name string, dialect sqlDialect) bool {
	switch name {
	case "abs", "acos", "asin", "atan", "atan2", "avg", "cast", "ceil", "ceiling", "char_length", "character_length", "coalesce", "concat", "concat_ws", "cos", "cot", "count", "cume_dist", "current_date", "current_time", "current_timestamp", "date_part", "date_trunc", "degrees", "dense_rank", "exp", "extract", "first_value", "floor", "greatest", "group_concat", "grouping", "if", "ifnull", "iif", "instr", "lag", "last_value", "lead", "least", "left", "length", "listagg", "ln", "localtime", "localtimestamp", "log", "log10", "log2", "lower", "lpad", "ltrim", "max", "md5", "median", "min", "mod", "now", "nth_value", "ntile", "nullif", "nvl", "octet_length", "overlay", "percent_rank", "percentile_cont", "percentile_disc", "pi", "position", "pow", "power", "radians", "random", "rank", "regexp_count", "regexp_instr", "regexp_like", "regexp_replace", "regexp_substr", "repeat", "replace", "reverse", "right", "round", "row_number", "rpad", "rtrim", "sign", "sin", "sqrt", "stddev", "stddev_pop", "stddev_samp", "string_agg", "substr", "substring", "sum", "tan", "translate", "trim", "trunc", "truncate", "try_cast", "upper", "var_pop", "var_samp", "variance", "version":
		return true
	}
	switch dialect {
	case sqlPostgres:
		return isPostgresFunction(name)
	case sqlMySQL:
		return isMySQLFunction(name)
	case sqlSQLite:
		return isSQLiteFunction(name)
	case sqlDuckDB:
		return isDuckFunction(name)
	}
	return false
}

// PostgreSQL 17, "Functions and Operators" and "System Administration
// Functions". Left out for what they do or run: query_to_xml, ts_stat,
// ts_rewrite, crosstab, dblink, lo_*, pg_read_*, pg_ls_*, pg_advisory_*,
// pg_notify, pg_terminate_backend, set_config, setval and the like.
func isPostgresFunction(name string) bool {
	switch name {
	case "age", "array_agg", "array_append", "array_cat", "array_dims", "array_fill", "array_length", "array_lower", "array_ndims", "array_position", "array_positions", "array_prepend", "array_remove", "array_replace", "array_sample", "array_shuffle", "array_to_json", "array_to_string", "array_upper", "ascii", "bit_and", "bit_length", "bit_or", "bool_and", "bool_or", "btrim", "cardinality", "cbrt", "chr", "clock_timestamp", "convert_from", "convert_to", "corr", "covar_pop", "covar_samp", "current_catalog", "current_database", "current_schema", "current_schemas", "current_setting", "current_user", "date_add", "date_bin", "date_subtract", "decode", "div", "encode", "every", "factorial", "family", "format", "gcd", "gen_random_uuid", "generate_series", "generate_subscripts", "get_bit", "get_byte", "host", "hostmask", "inet_client_addr", "inet_client_port", "inet_server_addr", "inet_server_port", "initcap", "isempty", "isfinite", "json_agg", "json_array", "json_array_elements", "json_array_elements_text", "json_array_length", "json_arrayagg", "json_build_array", "json_build_object", "json_each", "json_each_text", "json_exists", "json_extract_path", "json_extract_path_text", "json_object", "json_object_agg", "json_object_keys", "json_objectagg", "json_query", "json_scalar", "json_serialize", "json_strip_nulls", "json_table", "json_to_record", "json_to_recordset", "json_typeof", "json_value", "jsonb_agg", "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_array_length", "jsonb_build_array", "jsonb_build_object", "jsonb_each", "jsonb_each_text", "jsonb_extract_path", "jsonb_extract_path_text", "jsonb_insert", "jsonb_object", "jsonb_object_agg", "jsonb_object_keys", "jsonb_path_exists", "jsonb_path_match", "jsonb_path_query", "jsonb_path_query_array", "jsonb_path_query_first", "jsonb_pretty", "jsonb_set", "jsonb_strip_nulls", "jsonb_to_record", "jsonb_to_recordset", "jsonb_typeof", "justify_days", "justify_hours", "justify_interval", "lcm", "lower_inc", "make_date", "make_interval", "make_time", "make_timestamp", "make_timestamptz", "masklen", "min_scale", "mode", "netmask", "network", "num_nonnulls", "num_nulls", "parse_ident", "phraseto_tsquery", "plainto_tsquery", "quote_ident", "quote_literal", "quote_nullable", "range_agg", "regexp_match", "regexp_matches", "regexp_split_to_array", "regexp_split_to_table", "regr_slope", "row_to_json", "scale", "session_user", "setseed", "set_bit", "sha224", "sha256", "sha384", "sha512", "similarity", "split_part", "starts_with", "statement_timestamp", "string_to_array", "string_to_table", "strip", "strpos", "timeofday", "to_ascii", "to_char", "to_date", "to_hex", "to_json", "to_jsonb", "to_number", "to_timestamp", "to_tsquery", "to_tsvector", "transaction_timestamp", "trim_array", "trim_scale", "ts_headline", "ts_rank", "ts_rank_cd", "unistr", "unnest", "upper_inc", "websearch_to_tsquery", "width_bucket", "word_similarity", "xmlagg", "xmlelement", "xmlforest",
		"bernoulli", "col_description", "format_type", "has_any_column_privilege", "has_column_privilege", "has_database_privilege", "has_function_privilege", "has_schema_privilege", "has_sequence_privilege", "has_table_privilege", "has_type_privilege", "obj_description", "pg_backend_pid", "pg_blocking_pids", "pg_char_to_encoding", "pg_client_encoding", "pg_collation_for", "pg_column_compression", "pg_column_size", "pg_conf_load_time", "pg_current_wal_insert_lsn", "pg_current_wal_lsn", "pg_database_size", "pg_describe_object", "pg_encoding_to_char", "pg_filenode_relation", "pg_function_is_visible", "pg_has_role", "pg_identify_object", "pg_index_column_has_property", "pg_index_has_property", "pg_indexes_size", "pg_is_in_recovery", "pg_is_wal_replay_paused", "pg_last_wal_receive_lsn", "pg_last_wal_replay_lsn", "pg_last_xact_replay_timestamp", "pg_lsn", "pg_my_temp_schema", "pg_opclass_is_visible", "pg_options_to_table", "pg_partition_ancestors", "pg_partition_root", "pg_partition_tree", "pg_postmaster_start_time", "pg_relation_filenode", "pg_relation_filepath", "pg_relation_size", "pg_safe_snapshot_blocking_pids", "pg_size_bytes", "pg_size_pretty", "pg_sleep", "pg_table_is_visible", "pg_table_size", "pg_tablespace_databases", "pg_tablespace_location", "pg_tablespace_size", "pg_total_relation_size", "pg_trigger_depth", "pg_type_is_visible", "pg_typeof", "pg_wal_lsn_diff", "row_security_active", "shobj_description", "to_regclass", "to_regnamespace", "to_regproc", "to_regprocedure", "to_regrole", "to_regtype", "txid_current_if_assigned",
		"currval", "lastval":
		return true
	}
	return strings.HasPrefix(name, "pg_get_") && name != "pg_get_wal_resource_managers" || strings.HasPrefix(name, "pg_stat_get_")
}

// MySQL 8.4, "Functions and Operators", and MariaDB's. Left out: load_file,
// get_lock, benchmark, master_pos_wait, setval and what plug-ins add.
func isMySQLFunction(name string) bool {
	switch name {
	case "adddate", "addtime", "any_value", "ascii", "avg", "bin", "bin_to_uuid", "bit_and", "bit_count", "bit_length", "bit_or", "bit_xor", "char", "charset", "coercibility", "collation", "compress", "connection_id", "conv", "convert", "convert_tz", "crc32", "curdate", "current_role", "current_user", "curtime", "database", "date_add", "date_format", "date_sub", "datediff", "day", "dayname", "dayofmonth", "dayofweek", "dayofyear", "default", "elt", "export_set", "extractvalue", "field", "find_in_set", "format", "format_bytes", "format_pico_time", "found_rows", "from_base64", "from_days", "from_unixtime", "get_format", "hex", "hour", "icu_version", "inet6_aton", "inet6_ntoa", "inet_aton", "inet_ntoa", "interval", "is_ipv4", "is_ipv6", "is_uuid", "isnull", "json_array", "json_array_append", "json_array_insert", "json_arrayagg", "json_contains", "json_contains_path", "json_depth", "json_detailed", "json_extract", "json_insert", "json_keys", "json_length", "json_merge_patch", "json_merge_preserve", "json_object", "json_objectagg", "json_overlaps", "json_pretty", "json_quote", "json_remove", "json_replace", "json_search", "json_set", "json_storage_size", "json_table", "json_type", "json_unquote", "json_valid", "json_value", "last_day", "last_insert_id", "lcase", "locate", "make_set", "makedate", "maketime", "match", "microsecond", "mid", "minute", "month", "monthname", "name_const", "oct", "ord", "period_add", "period_diff", "ps_current_thread_id", "quarter", "quote", "rand", "row_count", "schema", "sec_to_time", "second", "session_user", "sha", "sha1", "sha2", "sleep", "soundex", "space", "st_asgeojson", "st_astext", "st_distance", "st_distance_sphere", "st_geomfromtext", "st_x", "st_y", "std", "str_to_date", "strcmp", "subdate", "substring_index", "subtime", "sysdate", "system_user", "time_format", "time_to_sec", "timediff", "timestampadd", "timestampdiff", "to_base64", "to_days", "to_seconds", "ucase", "uncompress", "unhex", "unix_timestamp", "user", "utc_date", "utc_time", "utc_timestamp", "uuid_short", "uuid_to_bin", "week", "weekday", "weekofyear", "weight_string", "yearweek",
		"date", "time", "timestamp", "year",
		// parts of the language: USE INDEX (a), PARTITION (p), MATCH (a) AGAINST ('b')
		"against", "index", "key", "partition":
		return true
	}
	return false
}

// SQLite 3.46, "Built-In Scalar SQL Functions" and the pages on aggregates,
// windows, dates, JSON, FTS, and what sqlite3 adds. Left out: load_extension,
// writefile, edit, fts3_tokenizer, eval.
func isSQLiteFunction(name string) bool {
	switch name {
	case "acosh", "asinh", "atanh", "base64", "base85", "bm25", "changes", "char", "concat", "cosh", "date", "datetime", "dbstat", "decimal", "decimal_add", "decimal_cmp", "decimal_mul", "decimal_sub", "decimal_sum", "format", "generate_series", "glob", "hex", "highlight", "ieee754", "json", "json_array", "json_array_length", "json_each", "json_error_position", "json_extract", "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch", "json_pretty", "json_quote", "json_remove", "json_replace", "json_set", "json_tree", "json_type", "json_valid", "jsonb", "jsonb_array", "jsonb_extract", "jsonb_object", "julianday", "last_insert_rowid", "like", "likelihood", "likely", "matchinfo", "offsets", "printf", "quote", "randomblob", "regexp", "sha1", "sha3", "sinh", "snippet", "soundex", "sqlite_compileoption_get", "sqlite_compileoption_used", "sqlite_source_id", "sqlite_version", "strftime", "subtype", "tanh", "time", "timediff", "total", "total_changes", "typeof", "unhex", "unicode", "unixepoch", "unlikely", "zeroblob":
		return true
	}
	// Only PRAGMAs without side effects are functions too.
	return strings.HasPrefix(name, "pragma_")
}

// DuckDB 1.4, "Functions". Left out: query, query_table, getenv, the
// scanners of other databases and all that reads files, which isDuckReader
// names.
func isDuckFunction(name string) bool {
	switch name {
	case "age", "any_value", "approx_count_distinct", "approx_quantile", "arg_max", "arg_min", "array_agg", "array_contains", "array_length", "array_slice", "array_sort", "array_to_string", "ascii", "bar", "base64", "bit_count", "bool_and", "bool_or", "chr", "columns", "contains", "count_if", "count_star", "current_database", "current_schema", "current_schemas", "current_setting", "damerau_levenshtein", "date_add", "date_diff", "date_sub", "datediff", "datepart", "datetrunc", "day", "dayname", "dayofmonth", "dayofweek", "dayofyear", "decade", "divide", "duckdb_columns", "duckdb_constraints", "duckdb_databases", "duckdb_extensions", "duckdb_functions", "duckdb_indexes", "duckdb_keywords", "duckdb_memory", "duckdb_schemas", "duckdb_sequences", "duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_views", "element_at", "ends_with", "entropy", "epoch", "epoch_ms", "epoch_ns", "epoch_us", "even", "exclude", "fdiv", "first", "flatten", "format", "formatreadabledecimalsize", "formatreadablesize", "from_json", "gamma", "gcd", "gen_random_uuid", "generate_series", "generate_subscripts", "greatest", "hash", "hex", "histogram", "hour", "isfinite", "isinf", "isnan", "jaccard", "jaro_similarity", "jaro_winkler_similarity", "json_array", "json_array_length", "json_contains", "json_each", "json_extract", "json_extract_string", "json_group_array", "json_group_object", "json_keys", "json_object", "json_pretty", "json_quote", "json_structure", "json_transform", "json_tree", "json_type", "json_valid", "kurtosis", "last", "last_day", "lcase", "lcm", "len", "levenshtein", "list", "list_aggregate", "list_any_value", "list_append", "list_apply", "list_avg", "list_concat", "list_contains", "list_count", "list_distinct", "list_extract", "list_filter", "list_has", "list_max", "list_min", "list_position", "list_prepend", "list_reduce", "list_reverse", "list_slice", "list_sort", "list_sum", "list_transform", "list_unique", "list_value", "list_zip", "mad", "make_date", "make_time", "make_timestamp", "map", "map_entries", "map_extract", "map_from_entries", "map_keys", "map_values", "max_by", "min_by", "minute", "mode", "month", "monthname", "multiply", "ord", "parse_dirname", "parse_dirpath", "parse_filename", "parse_path", "pragma_database_size", "pragma_platform", "pragma_show", "pragma_storage_info", "pragma_table_info", "pragma_version", "prefix", "printf", "product", "quantile", "quantile_cont", "quantile_disc", "quarter", "range", "regexp_extract", "regexp_extract_all", "regexp_full_match", "regexp_matches", "regexp_split_to_array", "regexp_split_to_table", "reservoir_quantile", "row_to_json", "second", "sem", "sha1", "sha256", "skewness", "split", "split_part", "starts_with", "str_split", "str_split_regex", "strftime", "string_split", "string_split_regex", "string_to_array", "strip_accents", "strlen", "strpos", "strptime", "struct", "struct_extract", "struct_insert", "struct_pack", "suffix", "to_base64", "to_binary", "to_days", "to_hex", "to_hours", "to_json", "to_minutes", "to_months", "to_seconds", "to_timestamp", "to_weeks", "to_years", "today", "try_strptime", "txid_current", "typeof", "ucase", "unbin", "unhex", "unicode", "union_tag", "unnest", "unpivot", "url_decode", "url_encode", "uuid", "week", "weekday", "weekofyear", "year", "yearweek":
		return true
	}
	return false
}
