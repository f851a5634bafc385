// Package model2vec reads models as Model2Vec and sentence-transformers write their
// static ones, and makes of them the file that package static searches with:
//
//	s, err := model2vec.Open(dir)          a folder, or its model.safetensors
//	defer s.Close()
//	head, err := s.Convert(w)              the file, to w
//
// A model is three files: model.safetensors with the vectors (F64, F32, F16, BF16 or
// I8), and what each token counts and which row is its, if that is said;
// tokenizer.json, which says how a text comes apart; and config.json. They are
// strangers' files: nothing is believed of them that is not checked, they are read
// within limits, and no link leads out of their folder, but to the blobs of the
// library that downloads models, which lays them so. What is wrong is an error that
// names file and place.
package model2vec
